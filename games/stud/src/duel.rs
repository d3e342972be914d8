//! How two bots compare: duplicate deals, big bets per 100 deals, and how far
//! luck may have moved the number.

use parlor_kernel::{BotKind, Dice, Log, Opening, Player, Seal, Seat, Seed, Sitting, play_out};

use crate::game::Stud;
use crate::rules::{Rules, Stacks};

/// Two bots take the seats in turn, and every deck is dealt twice: the second
/// time each sits where the other sat. Everyone has 100 big bets at the
/// beginning of every deal.
pub struct Duel<'a> {
    /// The bots; what the first wins is measured.
    pub bots: [&'a BotKind<Stud>; 2],
    /// What is played, and for what stakes.
    pub rules: Rules,
    /// How many seats.
    pub seats: usize,
    /// The name all decks follow from.
    pub seed: &'a str,
}

/// What the first bot of a duel wins in each of its seats, in big bets per 100
/// deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The mean over all decks.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub margin: f64,
}

impl Edge {
    /// Whether the whole interval is above zero.
    pub fn is_clear(self) -> bool {
        self.mean > self.margin
    }
}

impl Duel<'_> {
    /// Plays so many decks, each twice.
    pub fn play(&self, decks: u32) -> Edge {
        let rules = Rules {
            stacks: Stacks::Each(self.rules.stakes.big_bet.saturating_mul(100)),
            deals: Some(1),
            ..self.rules.clone()
        };
        let (mut sum, mut squares) = (0.0, 0.0);
        for deck in 0..decks {
            let won = self.deal(&rules, deck, 0) + self.deal(&rules, deck, 1);
            // In the two deals of a deck the first bot sits once in each seat.
            let hundreds = self.seats as f64 / 100.0;
            let rate = won as f64 / f64::from(rules.stakes.big_bet) / hundreds;
            sum += rate;
            squares += rate * rate;
        }
        let decks = f64::from(decks);
        let mean = sum / decks;
        let variance = (squares / decks - mean * mean) * decks / (decks - 1.0).max(1.0);
        Edge { mean, margin: 1.96 * (variance / decks).max(0.0).sqrt() }
    }

    /// The chips the first bot wins with this deck when it has every other
    /// seat from `first` on.
    fn deal(&self, rules: &Rules, deck: u32, first: usize) -> i64 {
        let holder = |place: usize| self.bots[(place + first) % 2];
        let name = format!("{}/{deck}", self.seed);
        let opening = Opening {
            game_id: format!("duel-{deck}"),
            rules: rules.clone(),
            seats: (0..self.seats).map(|place| sitting(place, holder(place))).collect(),
            seal: Seal::named(&name),
        };
        let thinking = Dice::new(&Seed::named(&name), "players");
        let mut players: Vec<Box<dyn Player<Stud>>> =
            (0..self.seats).map(|place| (holder(place).make)()).collect();
        let mut dice: Vec<_> =
            (0..self.seats).map(|place| thinking.stream(format_args!("bot/{place}"))).collect();
        let end = play_out(opening, &mut players, &mut dice, &mut Log::default());
        let places = (first % 2..self.seats).step_by(2);
        places.map(|place| won(end.board.player(Seat(place as u8)))).sum()
    }
}

fn won(player: &crate::board::Player) -> i64 {
    i64::from(player.stack) - i64::from(player.bought)
}

fn sitting(place: usize, bot: &BotKind<Stud>) -> Sitting {
    Sitting {
        player_id: Seat(place as u8).player_id(),
        name: format!("{} {}", bot.name, place + 1),
        bot: Some(bot.name.to_owned()),
    }
}
