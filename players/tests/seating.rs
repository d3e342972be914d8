//! Who is seated, from a file and from names; and the game as it is told live.

mod common;

use std::path::PathBuf;

use common::live;
use parlor_kernel::{Seal, Viewer};
use parlor_mafia::{PlayerId, Rules};
use parlor_players::llm::{AgentSettings, Tokens, persona};
use parlor_players::{Controller, Entrant, Lineup, Roster, Screen};

const FILE: &str = r#"
personas = true
budget_tokens = 400000

[llm]
base_url = "http://127.0.0.1:1/v1"
model = "small"
temperature = 0.5
extra = { top_p = 0.9 }

[agents.large]
model = "large"
key_env = "PARLOR_TEST_NO_SUCH_KEY"
price_in = 1.0
price_out = 4.0

[seats]
p1 = "random"
p2 = "large"
p3 = { temperature = 1.0, persona = "You are in a hurry." }
"#;

fn lineup(file: &str) -> Lineup {
    let settings: AgentSettings = toml::from_str(file).expect("the settings can be read");
    let agents = ["llm".to_owned()];
    Roster::new(settings)
        .lineup("seating", &Rules::classic(), Seal::named("seating"), &agents)
        .expect("everyone can be seated")
}

fn model(lineup: &Lineup, seat: usize) -> &parlor_players::llm::Model {
    match &lineup.entrants[seat] {
        Entrant::Model(_, model) => model,
        Entrant::Bot(name) => panic!("{name} is no model"),
    }
}

#[test]
fn a_seat_is_as_its_own_words_its_agent_and_the_usual_say() {
    let lineup = lineup(FILE);
    let tokens = Tokens { read: 10, written: 5, ..Tokens::default() };
    assert_eq!(lineup.entrants[0], Entrant::Bot("random".to_owned()));
    let large = model(&lineup, 1);
    assert_eq!((large.model.as_str(), large.temperature), ("large", Some(0.5)));
    assert_eq!(large.cost_micros(&tokens), Some(10 + 20));
    let own = model(&lineup, 2);
    assert_eq!((own.model.as_str(), own.temperature), ("small", Some(1.0)));
    assert_eq!(own.persona.as_deref(), Some("You are in a hurry."));
    assert_eq!(own.cost_micros(&tokens), None);
    let usual = model(&lineup, 3);
    let fourth = PlayerId::at(3).expect("a seat");
    assert_eq!(usual.persona.as_deref(), Some(persona(fourth)));
    assert_eq!(usual.extra["top_p"], 0.9);
    assert_eq!(lineup.budget_tokens, Some(400_000));
}

#[test]
fn without_personas_models_have_no_manner() {
    let lineup = lineup(&FILE.replace("personas = true", "personas = false"));
    assert_eq!(model(&lineup, 3).persona, None);
}

#[test]
fn names_tell_nothing_of_who_plays() {
    let names = |lineup: Lineup| -> Vec<String> {
        lineup.opening.seats.iter().map(|sitting| sitting.name.clone()).collect()
    };
    let others = FILE.replace("p2 = \"large\"", "p2 = \"random\"");
    assert_eq!(names(lineup(FILE)), names(lineup(&others)));
}

#[test]
fn a_key_that_is_not_there_is_missed_before_the_game() {
    let refused = lineup(FILE).prepare(&live(), Controller::default()).err();
    let sentence = refused.expect("there is no key").to_string();
    assert!(sentence.contains("PARLOR_TEST_NO_SUCH_KEY"), "{sentence}");
}

#[test]
fn settings_that_cannot_be_used_say_why() {
    let folder = std::env::temp_dir().join(format!("parlor-seating-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder of its own");
    let path: PathBuf = folder.join("models.toml");
    for (file, says) in [
        ("[llm]\nmodle = \"x\"", "modle"),
        ("[seats]\nq1 = \"random\"", "'q1' is no seat"),
        ("[seats]\np1 = { colour = \"red\" }", "colour"),
        ("budget_tokens = -1", "budget_tokens"),
        ("[llm]\nanswers = \"xml\"", "json_schema"),
        ("[llm]\nheaders = { api-key = { environment = \"KEY\" } }", "environment"),
        ("[llm]\nquery = { version = 7 }", "version = 7"),
    ] {
        std::fs::write(&path, file).expect("a file of its own");
        let refused = AgentSettings::read(&path).expect_err("it cannot be used").to_string();
        assert!(refused.contains(says), "{refused}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
    for (options, says) in [
        ("", "base_url"),
        ("base_url = \"http://x\"", "model"),
        ("base_url = \"http://x\"\nmodel = \"m\"\nretries = 3", "retries"),
        ("base_url = \"http://x\"\nmodel = \"m\"\ntemperature = 9", "temperature"),
        ("base_url = \"http://x\"\nmodel = \"m\"\ntimeout_s = 0", "timeout_s"),
        ("base_url = \"http://x\"\nmodel = \"m\"\nmax_reasoning_tokens = 0", "max_reasoning"),
        ("base_url = \"http://x\"\nmodel = \"m\"\nprice_cached = -1", "prices"),
        ("base_url = \"http://x\"\nmodel = \"m\"\nbudget_dollars = 1", "needs its price_in"),
        (
            "base_url = \"http://x\"\nmodel = \"m\"\nprice_in = 1\nprice_out = 1\nbudget_dollars = -1",
            "from 0 on",
        ),
    ] {
        let settings: AgentSettings =
            toml::from_str(&format!("[llm]\n{options}")).expect("the settings can be read");
        let rules = Rules::classic();
        let refused = Roster::new(settings)
            .lineup("x", &rules, Seal::named("x"), &["llm".to_owned()])
            .expect_err("it cannot be used");
        assert!(refused.to_string().contains(says), "{refused}");
    }
}

#[test]
fn an_endpoint_that_cannot_be_reached_by_its_settings_says_why() {
    for (options, says) in [
        ("base_url = \"http://me:secret@x/v1\"", "key_env"),
        ("base_url = \"http://x\"\nheaders = { \"a b\" = \"c\" }", "'a b' is no header"),
        ("base_url = \"http://x\"\nheaders = { a = \"b\\nc\" }", "'a' is no header"),
        ("base_url = \"http://x\"\nquery = { k = { env = \"PARLOR_NO_KEY\" } }", "PARLOR_NO_KEY"),
    ] {
        let lineup = lineup(&format!("[llm]\nmodel = \"m\"\n{options}\n"));
        let refused = lineup.prepare(&live(), Controller::default()).err().expect("no endpoint");
        let sentence = refused.to_string();
        assert!(sentence.contains(says) && !sentence.contains("secret"), "{sentence}");
    }
}

#[test]
fn the_files_in_the_documentation_can_be_used() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    for page in ["players/README.md", "docs/agents.md"] {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        let files: Vec<&str> = text
            .split("```toml\n")
            .skip(1)
            .map(|block| block.split("```").next().unwrap_or_default())
            .collect();
        assert!(!files.is_empty(), "{page}");
        for file in files {
            let settings: AgentSettings = toml::from_str(file).expect("the settings can be read");
            for (name, options) in &settings.agents {
                settings.model(name, options).expect("a model");
            }
        }
    }
}

async fn told(viewer: Viewer, colours: bool) -> String {
    let agents = ["bayes".to_owned()];
    let lineup = Roster::new(AgentSettings::default())
        .lineup("told", &Rules::classic(), Seal::named("told"), &agents)
        .expect("everyone can be seated");
    let mut text = Vec::new();
    let game = lineup.prepare(&live(), Controller::default()).expect("everyone can be seated");
    game.play(&mut Screen::new(viewer, &mut text, colours)).await;
    String::from_utf8(text).expect("a screen shows text")
}

#[tokio::test]
async fn thoughts_and_words_are_told_apart_and_only_to_those_who_may_hear_them() {
    let everything = told(Viewer::Admin, false).await;
    assert!(everything.contains(", thinking: "), "{everything}");
    assert!(everything.contains("NIGHT 1") && everything.contains("THE END"));
    assert!(!everything.contains('\x1b'), "no colours where none are wanted");
    assert!(told(Viewer::Admin, true).await.contains("\x1b[1m"));
    let town = told(Viewer::Public, false).await;
    assert!(!town.contains("thinking"), "{town}");
    assert!(!town.contains("would kill"), "{town}");
}
