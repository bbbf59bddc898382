#!/usr/bin/env python3
"""Reads every table of a run folder with pandas and checks that nothing is lost on the way.

    python3 tests/tables_in_pandas.py RUN_DIR...

Per table: the header, the type of each column, steps in order, and every number equal to the bit to the text in the file. A folder of
a batch (runs.csv) is checked with all its runs.

Exit status: 0 all is well; 1 a table is not as it should be; 2 no such folder, or no table in it; 77 pandas is not installed.
"""

import csv
import json
import math
import struct
import sys
from pathlib import Path

# What readings of the sea's sensors begin with.
READING = "step i,time_s f,vehicle i,sensor s,taken_s f"

# Columns of each table, with their types: i whole number, f number, s text, b true or false. Lower case may not be empty, upper case may.
COLUMNS = {
    "agents.csv": "step i,time_s f,agent i,x_mm f,y_mm f,heading_rad f,speed_mm_s f,omega_rad_s f,vx_mm_s f,vy_mm_s f,"
    "wish_x_mm_s f,wish_y_mm_s f,nearest_agent_mm F,nearest_foot_mm F",
    "feet.csv": "step i,time_s f,foot i,state s,x_mm f,y_mm f,vx_mm_s f,vy_mm_s f",
    "swarm.csv": "step i,time_s f,min_robot_robot_mm F,nearest_robot_mean_mm F,min_robot_foot_mm F,speed_mean_mm_s f,speed_max_mm_s f,"
    "moving_share f,wish_difference_mean_mm_s f,wish_followed_share f,violations i",
    "goals.csv": "step i,time_s f,agent i,goal i,x_mm f,y_mm f,left_mm f",
    "patches.csv": "step i,time_s f,patch i,x_mm f,y_mm f,sigma_mm f,peak f",
    "cubes.csv": "step i,time_s f,cube i,x_mm f,y_mm f,z_mm f,yaw_rad f,pitch_rad f,roll_rad f,mat_x I,mat_y I,mat_deg I,"
    "left_mm_s f,right_mm_s f,led_r i,led_g i,led_b i,sound I,battery_percent f",
    "messages.csv": "step i,time_s f,cube i,dir s,characteristic s,hex s,meaning s",
    "events.csv": "step i,time_s f,kind s,subject S,object S,value F,unit S",
    "closest.csv": "run i,call i,step i,time_s f,kind s,owner i,x_mm f,y_mm f,heading_rad F,vx_mm_s f,vy_mm_s f,distance_mm F",
    "summary.csv": "metric s,value F,unit s,limit F,ok B,bound S",
    # The sea. A lost reading, or a part of one, is an empty cell.
    "vehicles.csv": "step i,time_s f,vehicle i,x_m f,y_m f,z_m f,roll_rad f,pitch_rad f,yaw_rad f,u_m_s f,v_m_s f,w_m_s f,"
    "p_rad_s f,q_rad_s f,r_rad_s f,depth_m f,altitude_m F,status s",
    "actuators.csv": "step i,time_s f,vehicle i,actuator s,command f,actual f,unit s",
    "waypoints.csv": "step i,time_s f,vehicle i,waypoint i,x_m f,y_m f,z_m f,radius_m f,from_x_m f,from_y_m f,from_z_m f",
    "sound.csv": "step i,time_s f,probe s,depth_m f,sound_speed_m_s f,frequency_hz f,absorption_db_km f",
    "forces.csv": "step i,time_s f,vehicle i,source s,x_n f,y_n f,z_n f,roll_n_m f,pitch_n_m f,yaw_n_m f",
    "particles.csv": "step i,time_s f,particle i,x_m f,y_m f,z_m f,life i",
    "water.csv": "step i,time_s f,probe s,eta_m f,vx_m_s f,vy_m_s f,vz_m_s f,pressure_pa f",
    "imu.csv": f"{READING},gyro_x_rad_s F,gyro_y_rad_s F,gyro_z_rad_s F,accel_x_m_s2 F,accel_y_m_s2 F,accel_z_m_s2 F,"
    "roll_rad F,pitch_rad F,yaw_rad F",
    "pressure.csv": f"{READING},pressure_pa F,saturated i",
    "gnss.csv": f"{READING},x_m F,y_m F,z_m F,lat_deg F,lon_deg F,height_m F",
    "compass.csv": f"{READING},heading_rad F",
    "battery.csv": f"{READING},voltage_v F,charge_percent F",
    "altimeter.csv": f"{READING},altitude_m F",
    "range.csv": f"{READING},beacon s,range_m F",
    "leak.csv": f"{READING},leak I,count I",
    "sonar.csv": f"{READING},ping i,beams i,hits i,min_m F,nadir_m F,mean_level_db F",
    "acoustic.csv": "step i,time_s f,from i,to i,sent_s f,arrived_s F,path S,surface_bounces i,bottom_bounces i,level_db F,snr_db F,"
    "doppler F,outcome s,bytes i",
    "map.csv": "step i,time_s f,x_m f,y_m f,soundings i,z_m F,bottom_z_m f,error_m F",
    "dvl.csv": f"{READING},u_m_s F,v_m_s F,w_m_s F,altitude_m F,beam_1_m F,beam_2_m F,beam_3_m F,beam_4_m F,lock I",
}

# How many columns name the owner of a row, in the tables that hold all owners at every sampled step.
SAMPLED = {"agents.csv": 1, "feet.csv": 1, "patches.csv": 1, "cubes.csv": 1, "vehicles.csv": 1, "actuators.csv": 2, "water.csv": 1}
SAMPLED |= {"forces.csv": 2, "particles.csv": 1}
# Tables in which owners may be missing by number: what moves by rules or not at all has no forces.
WITH_GAPS = {"forces.csv"}


class Wrong(Exception):
    """What is wrong with a table."""


def columns_of(name, header):
    """Expected (column, type) pairs; runs.csv has one column a measure after run and seed."""
    if name == "runs.csv":
        if header[:2] != ["run", "seed"] or len(header) < 3:
            raise Wrong(f"the header begins with {header[:3]}, expected run, seed and the measures")
        return [("run", "i"), ("seed", "i")] + [(column, "F") for column in header[2:]]
    expected = [tuple(column.split()) for column in COLUMNS[name].split(",")]
    if header != [column for column, _ in expected]:
        raise Wrong(f"the header is {header}")
    return expected


def bits(value):
    return struct.pack("<d", value)


def check_number(text, value, may_be_empty, where):
    if text == "":
        if not may_be_empty:
            raise Wrong(f"{where}: empty")
        if not math.isnan(value):
            raise Wrong(f"{where}: empty, but pandas reads {value!r}")
    elif bits(float(text)) != bits(float(value)):
        raise Wrong(f"{where}: {text} in the file, {value!r} in pandas")


def check_column(column, kind, texts, series, pandas):
    """One column: its type as pandas sees it, and every cell."""
    may_be_empty = kind.isupper()
    empty = [text == "" for text in texts]
    if any(empty) and not may_be_empty:
        raise Wrong(f"{column}: row {empty.index(True) + 2} is empty")
    full = bool(texts) and not any(empty)
    if kind in "iI" and full and not pandas.api.types.is_integer_dtype(series.dtype):
        raise Wrong(f"{column}: pandas sees {series.dtype}, expected whole numbers")
    if kind in "fF" and texts and not pandas.api.types.is_numeric_dtype(series.dtype):
        raise Wrong(f"{column}: pandas sees {series.dtype}, expected numbers")
    if kind in "bB" and not set(texts) <= {"true", "false", ""}:
        raise Wrong(f"{column}: {sorted(set(texts))}, expected true or false")
    if kind in "sS":
        for row, (text, value) in enumerate(zip(texts, series)):
            if text and text != value:
                raise Wrong(f"{column}: row {row + 2}: {text!r} in the file, {value!r} in pandas")
    elif kind in "iI":
        for row, (text, value) in enumerate(zip(texts, series)):
            if text and int(text) != int(value):
                raise Wrong(f"{column}: row {row + 2}: {text} in the file, {value!r} in pandas")
    elif kind in "fF":
        for row, (text, value) in enumerate(zip(texts, series)):
            check_number(text, value, may_be_empty, f"{column}: row {row + 2}")


def check_order(name, frame, hz):
    """Steps never go back, every step holds all owners in order, seconds belong to steps."""
    steps = frame["step"].tolist()
    if any(b < a for a, b in zip(steps, steps[1:])):
        raise Wrong("step goes back")
    if name in SAMPLED and steps:
        columns = list(frame.columns[2 : 2 + SAMPLED[name]])
        owners = list(zip(*(frame[column].tolist() for column in columns)))
        first = owners[: steps.count(steps[0])]
        is_whole = owners == first * len(set(steps)) and len(set(first)) == len(first)
        if not is_whole:
            raise Wrong(f"not every step has one row for each {' and '.join(columns)} of the first step")
        numbers = sorted({owner[0] for owner in first})
        if name not in WITH_GAPS and isinstance(numbers[0], int) and numbers != list(range(numbers[-1] + 1)):
            raise Wrong(f"{columns[0]} does not run from 0 to {numbers[-1]}")
    if hz is not None:
        for step, time_s in zip(steps, frame["time_s"].tolist()):
            if abs(time_s * hz - step) > 1e-6:
                raise Wrong(f"step {step} has time_s {time_s}")


def check_table(path, hz, pandas):
    """Checks one file; returns its number of rows."""
    data = path.read_bytes()
    if data.startswith(b"\xef\xbb\xbf") or b"\r" in data or not data.endswith(b"\n"):
        raise Wrong("lines must end with a line feed alone, without a byte order mark")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    header, body = rows[0], rows[1:]
    columns = columns_of(path.name, header)
    # Only an empty cell is "no value": a robot called nan would be a text.
    # Bytes in hexadecimal digits look like numbers at times.
    texts = {column: str for column, kind in columns if kind in "sS"}
    frame = pandas.read_csv(
        path, keep_default_na=False, na_values=[""], index_col=False, dtype=texts, **to_the_bit(pandas)
    )
    if list(frame.columns) != header or len(frame) != len(body):
        raise Wrong(f"pandas sees {len(frame)} rows of {list(frame.columns)}, the file has {len(body)}")
    for index, (column, kind) in enumerate(columns):
        check_column(column, kind, [row[index] for row in body], frame[column], pandas)
    if columns[0][0] == "step":
        check_order(path.name, frame, hz)
    return len(body)


def to_the_bit(pandas):
    """What read_csv has to be told to read numbers exactly: nothing since 3.1, which does so by itself and warns of the option."""
    major, minor = (int(part) for part in pandas.__version__.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def step_hz(folder):
    """Steps a second of the run, from its scenario; None if there is none beside the tables."""
    try:
        return json.loads((folder / "scenario.json").read_text(encoding="utf-8"))["step_hz"]
    except (OSError, ValueError, KeyError):
        return None


def check_folder(folder, pandas):
    """Checks every table of a folder and of the runs in it; returns (tables, complaints)."""
    tables, complaints = 0, []
    for path in sorted(folder.glob("*.csv")):
        tables += 1
        try:
            if path.name not in COLUMNS and path.name != "runs.csv":
                raise Wrong("no such table is known")
            rows = check_table(path, step_hz(folder), pandas)
            print(f"{path}: {rows} rows, as written")
        except (Wrong, ValueError, IndexError) as error:
            complaints.append(f"{path}: {error}")
    for run in sorted(folder.glob("run-*/")):
        more, worse = check_folder(run, pandas)
        tables, complaints = tables + more, complaints + worse
    return tables, complaints


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    try:
        import pandas
    except ImportError:
        print("tables_in_pandas: pandas is not installed for this Python: skipped", file=sys.stderr)
        return 77
    tables, complaints = 0, []
    for folder in map(Path, arguments):
        if not folder.is_dir():
            print(f"tables_in_pandas: {folder} is not a folder", file=sys.stderr)
            return 2
        more, worse = check_folder(folder, pandas)
        tables, complaints = tables + more, complaints + worse
    for complaint in complaints:
        print(f"wrong: {complaint}", file=sys.stderr)
    if tables == 0:
        print("tables_in_pandas: no table found", file=sys.stderr)
        return 2
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
