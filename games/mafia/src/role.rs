//! Who is who: roles, sides, and the cast of a game.

use parlor_kernel::Dice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::rules::Rules;

/// What a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Kills by night and hides by day.
    Mafia,
    /// Protects one player a night.
    Doctor,
    /// Learns of one player a night whether it is mafia.
    Sheriff,
    /// Has nothing but words and a vote.
    Villager,
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Team {
    /// Doctor, sheriff and villagers.
    Town,
    /// The mafia.
    Mafia,
}

impl Role {
    /// Which side the role is on.
    pub const fn team(self) -> Team {
        match self {
            Role::Mafia => Team::Mafia,
            Role::Doctor | Role::Sheriff | Role::Villager => Team::Town,
        }
    }

    /// The role as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Mafia => "mafia",
            Role::Doctor => "doctor",
            Role::Sheriff => "sheriff",
            Role::Villager => "villager",
        }
    }
}

impl Team {
    /// The side as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Team::Town => "town",
            Team::Mafia => "mafia",
        }
    }
}

/// What a viewer knows of a player's role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    #[default]
    Unknown,
    /// The side only.
    Side(Team),
    /// The role.
    Is(Role),
}

impl Hint {
    /// The role, where it is known.
    pub const fn role(self) -> Option<Role> {
        match self {
            Hint::Is(role) => Some(role),
            // One role only is on the mafia's side.
            Hint::Side(Team::Mafia) => Some(Role::Mafia),
            Hint::Side(Team::Town) | Hint::Unknown => None,
        }
    }

    /// The side, where it is known.
    pub const fn team(self) -> Option<Team> {
        match self {
            Hint::Is(role) => Some(role.team()),
            Hint::Side(team) => Some(team),
            Hint::Unknown => None,
        }
    }

    /// Whether a player of this role could give such a hint.
    pub fn fits(self, role: Role) -> bool {
        match self {
            Hint::Unknown => true,
            Hint::Side(team) => role.team() == team,
            Hint::Is(known) => known == role,
        }
    }
}

/// What is known of everyone's role.
pub type Hints = [Hint; MAX_PLAYERS];

/// Who is who. Everyone who is nothing else is a villager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    /// The mafia.
    pub mafia: Players,
    /// The doctor, if there is one.
    pub doctor: Players,
    /// The sheriff, if there is one.
    pub sheriff: Players,
}

impl Cast {
    /// Roles listed mafia…, doctor, sheriff, villager…, shuffled;
    /// role i goes to seat i.
    pub(crate) fn draw(rules: &Rules, dice: &Dice) -> Cast {
        let mut roles = [Role::Villager; MAX_PLAYERS];
        for (place, role) in roles.iter_mut().zip(rules.listed_roles()) {
            *place = role;
        }
        let roles = &mut roles[..rules.circle()];
        dice.shuffle("roles", roles);
        roles.iter().copied().collect()
    }

    /// What a player is.
    #[inline]
    pub const fn role(&self, player: PlayerId) -> Role {
        if self.mafia.contains(player) {
            Role::Mafia
        } else if self.doctor.contains(player) {
            Role::Doctor
        } else if self.sheriff.contains(player) {
            Role::Sheriff
        } else {
            Role::Villager
        }
    }

    /// Those who have something to do at night.
    #[inline]
    pub const fn night_roles(&self) -> Players {
        self.mafia.or(self.doctor).or(self.sheriff)
    }

    /// Those of the living whom a night waits for.
    #[inline]
    pub const fn night_watch(&self, alive: Players, rules: &Rules) -> Players {
        if rules.acknowledge { alive } else { alive.and(self.night_roles()) }
    }

    /// Gives a player a role.
    pub fn set(&mut self, player: PlayerId, role: Role) {
        for players in [&mut self.mafia, &mut self.doctor, &mut self.sheriff] {
            players.remove(player);
        }
        match role {
            Role::Mafia => self.mafia.insert(player),
            Role::Doctor => self.doctor.insert(player),
            Role::Sheriff => self.sheriff.insert(player),
            Role::Villager => {}
        }
    }

    /// No mafia, and the town has won; as many mafia as town, and
    /// the mafia has.
    #[inline]
    pub const fn winner(&self, alive: Players) -> Option<Team> {
        let mafia = alive.and(self.mafia).len();
        if mafia == 0 {
            Some(Team::Town)
        } else if 2 * mafia >= alive.len() {
            Some(Team::Mafia)
        } else {
            None
        }
    }
}

impl FromIterator<Role> for Cast {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut cast = Cast::default();
        for (player, role) in PlayerId::all(MAX_PLAYERS).zip(roles) {
            cast.set(player, role);
        }
        cast
    }
}
