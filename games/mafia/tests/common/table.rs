//! A table played by hand, from any moment of a game.

use parlor_kernel::{Dice, Game, Hosted, Order, Refuse, Seal, Seat, Viewer, laws};
use parlor_mafia::{
    Action, Event, Fate, Mafia, NightResolved, Phase, PhaseChanged, PlayerEliminated, PlayerId,
    Players, Role, Rules, Seen, State, round_number,
};

/// The roles of the seats: p2, p3 and p8 are mafia, p6 the sheriff, p7 the
/// doctor.
pub const ROSTER: [Role; 10] = {
    use Role::{Doctor, Mafia, Sheriff, Villager};
    [Villager, Mafia, Mafia, Villager, Villager, Sheriff, Doctor, Mafia, Villager, Villager]
};

/// The player with this id.
pub fn p(id: &str) -> PlayerId {
    id.parse().unwrap_or_else(|_| panic!("{id} is a player"))
}

/// The players with these ids.
pub fn all(ids: &str) -> Players {
    ids.split_whitespace().map(p).collect()
}

/// `p2>p5 p3>-` as pairs.
pub fn pairs(text: &str) -> Vec<(PlayerId, Option<PlayerId>)> {
    let pair = |pair: &str| {
        let (one, other) = pair.split_once('>').unwrap_or_else(|| panic!("{pair} is a pair"));
        (p(one), (other != "-").then(|| p(other)))
    };
    text.split_whitespace().map(pair).collect()
}

pub struct Table {
    pub state: State,
    pub events: Vec<Event>,
    dice: Dice,
}

impl Table {
    /// A game that has just begun, with the roles of [`ROSTER`].
    pub fn new(rules: Rules) -> Table {
        Table::seeded(rules, "table")
    }

    pub fn seeded(rules: Rules, seed: &str) -> Table {
        let roles: Vec<Role> = ROSTER[..rules.circle()].to_vec();
        Table::cast(rules, &roles, seed)
    }

    pub fn cast(rules: Rules, roles: &[Role], seed: &str) -> Table {
        let mut script = serde_json::Map::new();
        script.insert("roles".to_owned(), serde_json::json!(roles));
        let stacked = <Mafia as parlor_kernel::Scripted>::stack(&script).expect("these are roles");
        let mut opening = laws::opening::<Mafia>(&rules, rules.circle(), seed);
        opening.seal = Seal::stacked(seed, stacked);
        let dice = opening.dice();
        let mut table = Table { state: State::default(), events: Vec::new(), dice };
        let mut out = Vec::new();
        Mafia::open(opening, &table.dice, &mut out);
        table.settle(out);
        table
    }

    /// A game that has come to this phase of this day (or the night after it)
    /// with these alive.
    pub fn at(rules: Rules, phase: Phase, day: u16, alive: Players, seed: &str) -> Table {
        let mut table = Table::seeded(rules, seed);
        let dead = table.state.board.alive.without(alive);
        let mut out: Vec<Event> = dead
            .iter()
            .map(|player_id| {
                Event::PlayerEliminated(PlayerEliminated {
                    player_id,
                    role: table.state.cast.role(player_id),
                    eliminated_by: Fate::Vote,
                    round_number: 1,
                    flip_revealed_role: true,
                    flip: parlor_mafia::Flip::Role,
                })
            })
            .collect();
        let from = Phase::NightActions;
        let round_number = round_number(phase, day);
        if phase != from || day > 0 {
            let change = PhaseChanged { from, to: phase, day_number: day, round_number };
            out.push(Event::PhaseChanged(change));
        }
        table.settle(out);
        table
    }

    /// The doctor protected this player last night.
    pub fn last_protected(mut self, player: Option<PlayerId>) -> Table {
        let night = Event::NightResolved(NightResolved {
            night_number: self.state.board.day,
            killed_player_id: None,
            protected_player_id: player,
            protection_prevents_kill: false,
            investigation_result: None,
        });
        self.settle(vec![night]);
        self
    }

    fn settle(&mut self, out: Vec<Event>) {
        for event in out {
            Mafia::apply(&mut self.state, &event);
            self.events.push(event);
        }
    }

    /// An action that is taken; the events it makes.
    pub fn act(&mut self, player: PlayerId, action: Action) -> Vec<Event> {
        let mut out = Vec::new();
        let decided = Mafia::decide(&self.state, player.seat(), &action, &self.dice, &mut out);
        if let Err(refusal) = decided {
            panic!("{player} {action:?}: {refusal}");
        }
        self.settle(out.clone());
        out
    }

    /// The names of the events an action makes.
    pub fn names(&mut self, player: PlayerId, action: Action) -> Vec<&'static str> {
        self.act(player, action).iter().map(parlor_kernel::event_type).collect()
    }

    /// An action that is refused; its code. Nothing must have happened.
    pub fn refused(&self, seat: Seat, action: &Action) -> &'static str {
        let mut out = Vec::new();
        let refusal = Mafia::decide(&self.state, seat, action, &self.dice, &mut out)
            .expect_err("this is refused");
        assert!(out.is_empty(), "a refused command changes nothing");
        assert!(!refusal.to_string().is_empty());
        refusal.code()
    }

    /// The clock runs out for a player; the events that makes.
    pub fn time_out(&mut self, player: PlayerId) -> Vec<Event> {
        let action = Mafia::timeout(&self.state, player.seat()).expect("it is awaited");
        self.act(player, action)
    }

    /// The house is told something; the names of the events that makes.
    pub fn order(&mut self, order: Order) -> Vec<&'static str> {
        let mut out = Vec::new();
        Mafia::obey(&self.state, &order, &mut out);
        let names = out.iter().map(parlor_kernel::event_type).collect();
        self.settle(out);
        names
    }

    /// Whom the game waits for.
    pub fn awaited(&self) -> Players {
        match Mafia::awaiting(&self.state) {
            parlor_kernel::Awaiting::Seats { seats, .. } => {
                seats.iter().filter_map(|seat| PlayerId::at(seat.index())).collect()
            }
            _ => Players::NOBODY,
        }
    }

    /// What a viewer sees of an event that has just happened.
    pub fn seen(&self, event: &Event, viewer: Viewer) -> Option<Seen> {
        Mafia::see(&self.state, event, viewer)
    }

    /// Everyone awaited passes, abstains or acknowledges until the phase ends.
    pub fn pass_phase(&mut self) {
        let phase = self.state.board.phase;
        while self.state.board.phase == phase {
            let Some(player) = self.awaited().iter().next() else { return };
            self.time_out(player);
        }
    }
}
