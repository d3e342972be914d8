//! Plots as inline SVG: drawn here, so that a report needs nothing else.

use std::fmt::Write;

/// A rate with its interval, for a plot of dots.
pub struct Dot {
    /// What it is.
    pub label: String,
    /// Which colour, counted from 0.
    pub colour: usize,
    /// The rate.
    pub rate: f64,
    /// Its interval.
    pub ci95: [f64; 2],
}

/// A line through points, with intervals where there are any.
pub struct PlotLine {
    /// What it is.
    pub label: String,
    /// Which colour, counted from 0.
    pub colour: usize,
    /// Whether it is only there to compare with.
    pub is_dashed: bool,
    /// Days, rates and intervals.
    pub points: Vec<(u16, f64, Option<[f64; 2]>)>,
}

/// A text as HTML may hold it.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 60.0;
const ROW: f64 = 26.0;
const TOP: f64 = 14.0;

/// Dots on a scale from 0 to 1, one a row, with their intervals.
pub fn dots(title: &str, dots: &[Dot]) -> String {
    let height = TOP + ROW * dots.len() as f64 + 30.0;
    let floor = height - 26.0;
    let x = |rate: f64| LEFT + rate * (WIDTH - LEFT - RIGHT);
    let mut svg = head(title, height);
    for tick in 0..=4 {
        let rate = f64::from(tick) / 4.0;
        let at = x(rate);
        let _ = write!(
            svg,
            "<line class='grid' x1='{at:.1}' y1='{TOP}' x2='{at:.1}' y2='{floor}'/>\
             <text class='tick' x='{at:.1}' y='{:.1}' text-anchor='middle'>{rate}</text>",
            floor + 16.0
        );
    }
    for (row, dot) in dots.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let ([low, high], colour) = (dot.ci95, dot.colour % COLOURS);
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' text-anchor='end'>{}</text>\
             <line class=\"bar c{colour}\" x1='{:.1}' y1='{y:.1}' x2='{:.1}' y2='{y:.1}'/>\
             <circle class=\"dot c{colour}\" cx='{:.1}' cy='{y:.1}' r='5'>\
             <title>{:.4} [{low:.4}, {high:.4}]</title></circle>\
             <text class='tick' x='{:.1}' y='{:.1}'>{:.3}</text>",
            LEFT - 10.0,
            y + 4.0,
            escaped(&dot.label),
            x(low),
            x(high),
            x(dot.rate),
            dot.rate,
            WIDTH - RIGHT + 10.0,
            y + 4.0,
            dot.rate,
        );
    }
    svg + "</svg>"
}

/// How many colours the report's style has.
pub const COLOURS: usize = 6;

/// Lines over days on a scale from 0 to 1.
pub fn lines(title: &str, lines: &[PlotLine]) -> String {
    let height = 320.0;
    let (floor, left, right) = (height - 40.0, 50.0, 200.0);
    let last = lines.iter().flat_map(|line| &line.points).map(|point| point.0).max().unwrap_or(1);
    let across = f64::from(last.saturating_sub(1).max(1));
    let x = |day: u16| {
        left + 20.0 + f64::from(day.saturating_sub(1)) / across * (WIDTH - left - right - 40.0)
    };
    let y = |rate: f64| floor - rate * (floor - TOP);
    let mut svg = head(title, height);
    for tick in 0..=4 {
        let rate = f64::from(tick) / 4.0;
        let _ = write!(
            svg,
            "<line class='grid' x1='{left}' y1='{:.1}' x2='{:.1}' y2='{:.1}'/>\
             <text class='tick' x='{:.1}' y='{:.1}' text-anchor='end'>{rate}</text>",
            y(rate),
            WIDTH - right,
            y(rate),
            left - 8.0,
            y(rate) + 4.0
        );
    }
    for day in 1..=last {
        let _ = write!(
            svg,
            "<text class='tick' x='{:.1}' y='{:.1}' text-anchor='middle'>day {day}</text>",
            x(day),
            floor + 18.0
        );
    }
    for (place, line) in lines.iter().enumerate() {
        let class =
            format!("c{}{}", line.colour % COLOURS, if line.is_dashed { " dashed" } else { "" });
        let path: Vec<String> = line
            .points
            .iter()
            .map(|(day, rate, _)| format!("{:.1},{:.1}", x(*day), y(*rate)))
            .collect();
        let _ = write!(svg, "<polyline class=\"line {class}\" points=\"{}\"/>", path.join(" "));
        for (day, rate, ci95) in &line.points {
            if let Some([low, high]) = ci95 {
                let _ = write!(
                    svg,
                    "<line class=\"bar {class}\" x1='{0:.1}' y1='{1:.1}' x2='{0:.1}' y2='{2:.1}'/>\
                     <circle class=\"dot {class}\" cx='{0:.1}' cy='{3:.1}' r='4'>\
                     <title>day {day}: {rate:.4} [{low:.4}, {high:.4}]</title></circle>",
                    x(*day),
                    y(*low),
                    y(*high),
                    y(*rate)
                );
            }
        }
        let at = TOP + 12.0 + 20.0 * place as f64;
        let _ = write!(
            svg,
            "<line class=\"line {class}\" x1='{:.1}' y1='{at:.1}' x2='{:.1}' y2='{at:.1}'/>\
             <text x='{:.1}' y='{:.1}'>{}</text>",
            WIDTH - right + 12.0,
            WIDTH - right + 34.0,
            WIDTH - right + 40.0,
            at + 4.0,
            escaped(&line.label)
        );
    }
    svg + "</svg>"
}

fn head(title: &str, height: f64) -> String {
    let title = escaped(title);
    format!(
        "<svg role='img' aria-label=\"{title}\" viewBox=\"0 0 {WIDTH} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>"
    )
}
