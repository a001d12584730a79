//! The circuit of a Pico for <https://wokwi.com>, as its `diagram.json`.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::layout::{Layout, Pin};
use super::{Part, Place, Wire, drawing};

/// The circuit of these wires.
pub(super) fn diagram(layout: &Layout, wires: &[Wire]) -> Result<String> {
    let mut parts = vec![
        part("wokwi-pi-pico", "pico", (0, 0), json!({})),
        part("board-ssd1306", "oled", (-20, -260), json!({})),
    ];
    let mut connections = Vec::new();
    let mut buttons = 0;
    let ground = wires.iter().find(|wire| wire.part == Part::Buttons && wire.signal == "GND");
    for wire in wires {
        let Place::Pin(pin) = wire.place else { continue };
        let board = format!("pico:{}", name(layout, pin)?);
        let signal = wire.signal.as_str();
        let color = drawing::color(signal);
        match wire.part {
            Part::Display => {
                connections.push(json!([board, format!("oled:{signal}"), color, ["h0"]]));
            }
            Part::Buttons if signal == "GND" => {}
            Part::Buttons => {
                let ground = ground.context("the buttons have no ground")?;
                let Place::Pin(ground) = ground.place else { continue };
                let ground = format!("pico:{}", name(layout, ground)?);
                let place = (90 + 60 * buttons, -260);
                buttons += 1;
                parts.push(part("wokwi-pushbutton", signal, place, json!({ "label": signal })));
                connections.push(json!([board, format!("{signal}:1.r"), color, ["h0"]]));
                connections.push(json!([
                    ground,
                    format!("{signal}:2.r"),
                    drawing::color("GND"),
                    ["h0"]
                ]));
            }
            Part::Buzzer if signal == "GND" => {
                connections.push(json!([board, "piezo:1", color, ["h0"]]));
            }
            Part::Buzzer => {
                parts.push(part("wokwi-buzzer", "piezo", (120, 200), json!({ "volume": "0.1" })));
                connections.push(json!([board, "piezo:2", color, ["h0"]]));
            }
            Part::Serial | Part::Other => {}
        }
    }
    Ok(format!(
        "{{\n  \"version\": 1,\n  \"author\": \"Corvid\",\n  \"editor\": \"wokwi\",\n  \"parts\": [\n{}\n  ],\n  \
         \"connections\": [\n{}\n  ]\n}}\n",
        lines(&parts),
        lines(&connections)
    ))
}

fn part(kind: &str, id: &str, (top, left): (i32, i32), attributes: Value) -> Value {
    json!({ "type": kind, "id": id, "top": top, "left": left, "attrs": attributes })
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("    {value}")).collect::<Vec<_>>().join(",\n")
}

/// What Wokwi calls a pin: grounds are counted around the board.
fn name(layout: &Layout, pin: Pin) -> Result<String> {
    let mut pins: Vec<_> = layout.pins().collect();
    pins.sort_by_key(|(pin, _)| layout.number(*pin));
    let (_, name) = pins.iter().find(|(other, _)| *other == pin).context("no such pin")?;
    Ok(match *name {
        "GND" => {
            let before = pins.iter().take_while(|(other, _)| *other != pin);
            format!("GND.{}", before.filter(|(_, name)| *name == "GND").count() + 1)
        }
        "3V3 OUT" => "3V3".into(),
        name => name.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::layout::Side;
    use super::*;

    #[test]
    fn pins_have_wokwis_names() {
        let layout = Layout::of("pico").unwrap();
        let at = |side, row| name(layout, Pin { side, row }).unwrap();
        let names = [at(Side::Left, 5), at(Side::Left, 17), at(Side::Right, 4), at(Side::Right, 2)];
        assert_eq!(names, ["GP4", "GND.4", "3V3", "GND.8"]);
    }
}
