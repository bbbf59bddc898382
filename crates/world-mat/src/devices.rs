//! Cubes as radio devices that programs of users can talk to.

use crate::cubes::{CubeModel, Cubes};
use crate::scenario::short_name;
use sim_world::{Device, DeviceCharacteristic, DeviceState};
use toio_cube_sim::advertising::Advertisement;
use toio_cube_sim::gatt::Characteristic;

/// A cube as a client finds it.
pub(crate) fn device(cube: &CubeModel) -> Device {
    let protocol = cube.firmware.protocol;
    let characteristic = |known: Characteristic| {
        let allowed = known.properties(protocol);
        DeviceCharacteristic {
            name: short_name(known).into(),
            uuid: known.uuid().to_lowercase(),
            read: allowed.read,
            write: allowed.write,
            write_without_response: allowed.write_without_response,
            notify: allowed.notify,
        }
    };
    let advertised = Advertisement::new(protocol, cube.firmware.name);
    Device {
        name: advertised.local_name,
        service: advertised.service_uuid.to_lowercase(),
        characteristics: Characteristic::ALL.into_iter().map(characteristic).collect(),
    }
}

/// What a cube does after a step; off if there is none of that number.
pub(crate) fn state(cubes: &Cubes, cube: usize) -> DeviceState {
    let firmware = (cube < cubes.len()).then(|| cubes.view(cube)).map(|cube| cube.firmware());
    match firmware {
        Some(firmware) if firmware.is_connected() => DeviceState::Connected,
        Some(firmware) if firmware.advertisement().is_some() => DeviceState::Free,
        _ => DeviceState::Off,
    }
}
