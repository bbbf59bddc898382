//! Two cubes by btleplug: found, connected, driven for a second and a half, and heard meanwhile.

use btleplug::api::{Central, Manager as _, Peripheral as _, ScanFilter, WriteType};
use btleplug::platform::{Manager, Peripheral};
use futures::StreamExt;
use std::error::Error;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

const fn characteristic(short: u128) -> Uuid {
    Uuid::from_u128(0x10b2_0000_5b3b_4571_9508_cf3e_fcd7_bbae | short << 96)
}

const SERVICE: Uuid = characteristic(0x100);
const IDENTIFICATION: Uuid = characteristic(0x101);
const MOTOR: Uuid = characteristic(0x102);
const BATTERY: Uuid = characteristic(0x108);
const CONFIGURATION: Uuid = characteristic(0x1ff);
/// Notifications of each cube at least: one every 10 ms is asked for.
const ENOUGH: usize = 80;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let manager = Manager::new().await?;
    let adapter = manager.adapters().await?.into_iter().next().ok_or("no adapter")?;
    adapter.start_scan(ScanFilter { services: vec![SERVICE] }).await?;
    let mut cubes = Vec::new();
    for _ in 0..100 {
        cubes = adapter.peripherals().await?;
        if cubes.len() >= 2 {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    adapter.stop_scan().await?;
    let [one, other] = &cubes[..] else { return Err(format!("{} cubes", cubes.len()).into()) };
    let counts = futures::future::try_join_all([drive(one), drive(other)]).await?;
    println!("notifications: {counts:?}");
    if counts.iter().all(|count| *count >= ENOUGH) { Ok(()) } else { Err("too few".into()) }
}

async fn drive(cube: &Peripheral) -> Result<usize, Box<dyn Error>> {
    cube.connect().await?;
    cube.discover_services().await?;
    let all = cube.characteristics();
    let of = |uuid: Uuid| all.iter().find(|known| known.uuid == uuid).cloned().ok_or("no such characteristic");
    let battery = cube.read(&of(BATTERY)?).await?;
    println!("{}: battery {battery:?}", cube.address());
    let mut heard = cube.notifications().await?;
    cube.subscribe(&of(IDENTIFICATION)?).await?;
    cube.write(&of(CONFIGURATION)?, &[0x18, 0, 1, 0], WriteType::WithResponse).await?;
    cube.write(&of(MOTOR)?, &[2, 1, 1, 20, 2, 1, 20, 100], WriteType::WithoutResponse).await?;
    let mut count = 0;
    let _ = timeout(Duration::from_millis(1500), async {
        while let Some(notification) = heard.next().await {
            count += usize::from(notification.uuid == IDENTIFICATION);
        }
    })
    .await;
    cube.disconnect().await?;
    Ok(count)
}
