//! The lobby: laying tables, finding them, sitting down, starting.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_house::{Guests, Offer};
use parlor_kernel::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::admission::{credential, table_cookie};
use super::leading::SLOWEST;
use super::request::{Caller, Payload};
use crate::hall::{Hall, Order, rules_text};
use crate::ledger::{Kind, Ledger, SeatEntry, Status, proper_name};
use crate::refusal::{ErrorBody, Refusal};
use crate::secrets::{TokenHash, new_token};
use crate::table::{Knock, SeatInfo, Seated, TableInfo, table_info};

/// A seat of a table to be laid.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatOrder {
    /// Who sits there; open seats and bots may go without.
    #[serde(default)]
    name: Option<String>,
    /// A person or a bot.
    kind: Kind,
    /// Which bot; the strongest if it is not said.
    #[serde(default)]
    bot: Option<String>,
}

/// A table to be laid.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableOrder {
    /// What is to be played.
    game: String,
    /// A preset's name, or an object `{"preset": NAME, option: value, …}`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    rules: Value,
    /// The seats. Whoever lays the table gets the first one for a person.
    seats: Vec<SeatOrder>,
    /// A seed to play from, where the server allows it.
    #[serde(default)]
    seed: Option<String>,
    /// Leaves the table out of the lobby's list.
    #[serde(default)]
    unlisted: bool,
    /// How long its bots wait before they act, in milliseconds; the server's
    /// pace if it is not said.
    #[serde(default)]
    bot_ms: Option<u64>,
}

/// A table that has been laid.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableLaid {
    table_id: String,
    code: String,
    game: &'static str,
    seats: Vec<SeatInfo>,
    /// The token of whoever laid it; shown once, kept hashed. Null where no
    /// seat is for a person.
    token: Option<String>,
    /// Their seat.
    seat: Option<u8>,
    /// Their id on the wires.
    player_id: Option<String>,
}

/// Someone who wants to sit down.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// The name they go by.
    name: String,
}

/// Someone who wants to play now.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuickGuest {
    /// What they want to play.
    game: String,
    /// The name they go by.
    name: String,
    /// The house rules they want.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    rules: Value,
}

/// A bot for an open seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotOrder {
    /// Which bot; the strongest if it is not said.
    #[serde(default)]
    bot: Option<String>,
}

/// Which tables to list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Lobby {
    /// `waiting`, `playing`, `finished` or `terminated`; all if it is not said.
    status: Option<String>,
    /// At most how many, newest first.
    limit: Option<usize>,
}

/// The lobby's list.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableList {
    /// Newest first.
    pub tables: Vec<TableInfo>,
}

/// A seat taken, or a bot seated.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatTaken {
    seat: u8,
    player_id: String,
}

/// A game begun or ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Started {
    pub status: Status,
}

fn game_named(name: &str) -> Result<&'static dyn Offer, Refusal> {
    parlor_house::game(name)
        .ok_or_else(|| Refusal::NoSuchGame(name.to_owned(), parlor_house::game_names()))
}

fn bot_named(guests: &Guests, game: &dyn Offer, name: Option<&str>) -> Result<String, Refusal> {
    let (bots, agents) = (game.bots(), guests.of(game.name()));
    let strongest = bots.last().map(|bot| bot.name);
    let found = name.map_or(strongest, |name| game.bot_named(name));
    let guest = agents.iter().map(|agent| agent.name.as_str()).find(|agent| Some(*agent) == name);
    found.or(guest).map(str::to_owned).ok_or_else(|| {
        let known = bots.iter().map(|bot| bot.name).chain(agents.iter().map(|it| it.name.as_str()));
        let known = known.collect::<Vec<_>>().join(", ");
        let could_have = agents.is_empty() && Guests::GAMES.contains(&game.name());
        let models = if could_have {
            "; language models sit at tables of a server started with --agents FILE"
        } else {
            ""
        };
        let (game, name) = (game.name(), name.unwrap_or_default());
        Refusal::NoSuchBot(format!("{game} has no bot '{name}'; bots are {known}{models}"))
    })
}

fn seat_entry(guests: &Guests, game: &dyn Offer, order: &SeatOrder) -> Result<SeatEntry, Refusal> {
    match order.kind {
        Kind::Human if order.bot.is_some() => {
            Err(Refusal::InvalidSeats("a seat for a person names no bot".to_owned()))
        }
        Kind::Human => Ok(SeatEntry::open()),
        Kind::Bot => {
            let bot = bot_named(guests, game, order.bot.as_deref())?;
            let name = order.name.as_deref().map(proper_name).transpose()?;
            Ok(SeatEntry::of_bot(name, &bot, None))
        }
    }
}

/// Lays a table.
#[utoipa::path(post, path = "/api/v1/tables", request_body = TableOrder, tag = "lobby", responses(
    (status = 201, description = "The table is laid; with one person and bots it has begun", body = TableLaid),
    (status = 400, description = "It cannot be laid like that", body = ErrorBody),
    (status = 429, description = "Too many tables", body = ErrorBody),
))]
pub async fn create(
    State(hall): State<Arc<Hall>>,
    Caller(from): Caller,
    Payload(order): Payload<TableOrder>,
) -> Result<Response, Refusal> {
    hall.limits.table(from)?;
    let game = game_named(&order.game)?;
    if order.seed.is_some() && !hall.config.allow_seeds {
        return Err(Refusal::SeedsNotAllowed);
    }
    if order.bot_ms.is_some_and(|pace| pace > SLOWEST) {
        return Err(Refusal::Malformed(format!("bots wait at most {SLOWEST} ms")));
    }
    if order.seats.len() > 32 {
        return Err(Refusal::InvalidSeats("no game has more than 32 seats".to_owned()));
    }
    let mut seats = Vec::with_capacity(order.seats.len());
    for seat in &order.seats {
        seats.push(seat_entry(&hall.config.guests, game, seat)?);
    }
    let token = new_token();
    let own = order.seats.iter().position(|seat| seat.kind == Kind::Human);
    if let Some(own) = own {
        let name = order.seats[own].name.as_deref().unwrap_or_default();
        seats[own].name = Some(proper_name(name)?);
        seats[own].token = Some(TokenHash::of(&token).hex());
    }
    let laying = Order {
        game,
        rules: order.rules,
        seats,
        seed: order.seed,
        unlisted: order.unlisted,
        hosted: false,
        bot_pace_ms: order.bot_ms,
    };
    let ledger = hall.lay(laying).await?;
    let laid = TableLaid {
        seats: table_info(&ledger, |_| false).seats,
        game: ledger.game.name(),
        token: own.map(|_| token.clone()),
        seat: own.map(|seat| seat as u8),
        player_id: own.map(|seat| Seat(seat as u8).player_id()),
        code: ledger.code,
        table_id: ledger.id,
    };
    let table = laid.table_id.clone();
    Ok(with_cookie((StatusCode::CREATED, Json(laid)).into_response(), &table, own.map(|_| token)))
}

fn with_cookie(mut response: Response, table: &str, token: Option<String>) -> Response {
    if let Some(cookie) = token.and_then(|token| table_cookie(table, &token)) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Sits down at a table.
#[utoipa::path(post, path = "/api/v1/tables/{table}/seats", request_body = Guest, tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "A seat is taken", body = Seated),
    (status = 404, description = "No such table", body = ErrorBody),
    (status = 409, description = "Full, or begun already", body = ErrorBody),
))]
pub async fn join(
    State(hall): State<Arc<Hall>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Payload(guest): Payload<Guest>,
) -> Result<Response, Refusal> {
    hall.limits.join(from)?;
    let name = proper_name(&guest.name)?;
    let id = hall.table_id(&table).await?;
    seat_guest(&hall, &id, &name).await
}

async fn seat_guest(hall: &Arc<Hall>, id: &str, name: &str) -> Result<Response, Refusal> {
    let token = new_token();
    let hash = TokenHash::of(&token);
    let sit = |reply| Knock::Sit { name: name.to_owned(), token: hash, reply };
    let seat = hall.ask(id, sit).await?;
    let info = hall.ask(id, |reply| Knock::Info { reply }).await?;
    let seated = Seated {
        table_id: info.table_id,
        code: info.code,
        seat: seat.0,
        player_id: seat.player_id(),
        token: token.clone(),
    };
    Ok(with_cookie((StatusCode::CREATED, Json(seated)).into_response(), id, Some(token)))
}

/// Plays with whoever waits: sits down at the oldest open table with these
/// rules, which begins when it is full, or lays one. After 15 seconds the
/// table's `bot_offered` turns true.
#[utoipa::path(post, path = "/api/v1/tables/quick", request_body = QuickGuest, tag = "lobby", responses(
    (status = 201, description = "A seat is taken", body = Seated),
    (status = 400, description = "No such game or rules", body = ErrorBody),
))]
pub async fn quick(
    State(hall): State<Arc<Hall>>,
    Caller(from): Caller,
    Payload(guest): Payload<QuickGuest>,
) -> Result<Response, Refusal> {
    hall.limits.join(from)?;
    let name = proper_name(&guest.name)?;
    let game = game_named(&guest.game)?;
    let rules = game.resolve_rules(&hall.rules_or_default(game, guest.rules))?;
    let wanted = rules_text(&rules)?;
    let waiting = hall.look_up(|store| store.tables(Some("waiting"), 1000)).await?;
    let fits = |ledger: &Ledger| {
        ledger.game.name() == game.name() && ledger.rules.get() == wanted.get() && !ledger.unlisted
    };
    for ledger in waiting.iter().rev().filter_map(Ledger::read).filter(fits) {
        if let Ok(response) = seat_guest(&hall, &ledger.id, &name).await {
            // With seats still open the start is refused, and the table waits on.
            drop(hall.ask(&ledger.id, |reply| Knock::Start { who: None, reply }).await);
            return Ok(response);
        }
    }
    hall.limits.table(from)?;
    let fewest = *game.seats(&rules)?.start();
    let seats = (0..fewest).map(|_| SeatEntry::open()).collect();
    let order =
        Order { game, rules, seats, seed: None, unlisted: false, hosted: false, bot_pace_ms: None };
    let ledger = hall.lay(order).await?;
    seat_guest(&hall, &ledger.id, &name).await
}

/// Seats a bot in the first open seat.
#[utoipa::path(post, path = "/api/v1/tables/{table}/bots", request_body = BotOrder, tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "The bot sits", body = SeatTaken),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "Full, or begun already", body = ErrorBody),
), security(("seat" = [])))]
pub async fn seat_bot(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
    headers: HeaderMap,
    Payload(order): Payload<BotOrder>,
) -> Result<(StatusCode, Json<SeatTaken>), Refusal> {
    let id = hall.table_id(&table).await?;
    let who = credential(&hall, &headers, None, &id)?;
    let info = hall.ask(&id, |reply| Knock::Info { reply }).await?;
    let bot = bot_named(&hall.config.guests, game_named(info.game)?, order.bot.as_deref())?;
    let sit = |reply| Knock::SeatBot { who, bot: bot.clone(), level: None, reply };
    let seat = hall.ask(&id, sit).await?;
    Ok((StatusCode::CREATED, Json(SeatTaken { seat: seat.0, player_id: seat.player_id() })))
}

/// Begins the game.
#[utoipa::path(post, path = "/api/v1/tables/{table}/start", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "The game is on", body = Started),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "Seats are open, or it has begun already", body = ErrorBody),
), security(("seat" = [])))]
pub async fn start(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Started>, Refusal> {
    let id = hall.table_id(&table).await?;
    let who = credential(&hall, &headers, None, &id)?;
    hall.ask(&id, |reply| Knock::Start { who: Some(who), reply }).await?;
    Ok(Json(Started { status: Status::Playing }))
}

/// Another match with the same people: each gets their seat at the next
/// table, which begins when all have come.
#[utoipa::path(post, path = "/api/v1/tables/{table}/rematch", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "Your seat at the next table", body = Seated),
    (status = 409, description = "The match is not over", body = ErrorBody),
), security(("seat" = [])))]
pub async fn rematch(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = hall.table_id(&table).await?;
    let who = credential(&hall, &headers, None, &id)?;
    let seated = hall.ask(&id, |reply| Knock::Rematch { who, reply }).await?;
    let (table, token) = (seated.table_id.clone(), seated.token.clone());
    Ok(with_cookie((StatusCode::CREATED, Json(seated)).into_response(), &table, Some(token)))
}

/// Lists tables, newest first.
#[utoipa::path(get, path = "/api/v1/tables", tag = "lobby", params(Lobby), responses(
    (status = 200, description = "The tables", body = TableList),
))]
pub async fn list(
    State(hall): State<Arc<Hall>>,
    Query(lobby): Query<Lobby>,
) -> Result<Json<TableList>, Refusal> {
    if let Some(status) = lobby.status.as_deref()
        && Status::named(status).is_none()
    {
        let known = Status::ALL.map(Status::name).join(", ");
        return Err(Refusal::Malformed(format!("'{status}' is no status; they are {known}")));
    }
    let limit = lobby.limit.unwrap_or(100).min(1000);
    let status = lobby.status;
    let records = hall.look_up(move |store| store.tables(status.as_deref(), limit)).await?;
    let listed = records.iter().filter_map(Ledger::read).filter(|ledger| !ledger.unlisted);
    Ok(Json(TableList { tables: listed.map(|ledger| table_info(&ledger, |_| false)).collect() }))
}

/// One table, as anyone may know it.
#[utoipa::path(get, path = "/api/v1/tables/{table}", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "The table", body = TableInfo),
    (status = 404, description = "No such table", body = ErrorBody),
))]
pub async fn show(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
) -> Result<Json<TableInfo>, Refusal> {
    let id = hall.table_id(&table).await?;
    Ok(Json(hall.ask(&id, |reply| Knock::Info { reply }).await?))
}
