//! The lobby: creating tables, finding them, sitting down, starting.

mod shapes;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_house::{Agents, GameInfo, Offer};
use parlor_kernel::Seat;

use super::auth::{credential, is_admin, may_seat_agents, seat_token, table_cookie};
use super::control::SLOWEST;
use super::request::{Caller, Payload};
use crate::api_error::{ApiError, ErrorBody};
use crate::record::{Kind, Record, SeatEntry, Status, proper_name};
use crate::registry::{Among, NewTable, Registry, rules_text};
use crate::secrets::{TokenHash, new_token};
use crate::table::{Request, Seated, TableInfo, stored_info};
use shapes::{
    AddBot, CreateSeat, CreateTable, JoinTable, QuickJoin, SeatTaken, TableFilter, TableLaid,
};

pub use shapes::{Started, TableList};

/// Whoever creates a table without saying their name is called this.
const GUEST: &str = "Guest";

fn game_named(name: &str) -> Result<&'static dyn Offer, ApiError> {
    parlor_house::game(name)
        .ok_or_else(|| ApiError::NoSuchGame(name.to_owned(), parlor_house::game_names()))
}

fn bot_named(agents: &Agents, game: &dyn GameInfo, name: Option<&str>) -> Result<String, ApiError> {
    let (bots, agents) = (game.bots(), agents.of(game.name()));
    let strongest = bots.last().map(|bot| bot.name);
    let found = name.map_or(strongest, |name| game.bot_named(name));
    let agent = agents.iter().map(|agent| agent.name.as_str()).find(|agent| Some(*agent) == name);
    found.or(agent).map(str::to_owned).ok_or_else(|| {
        let known = bots.iter().map(|bot| bot.name).chain(agents.iter().map(|it| it.name.as_str()));
        let known = known.collect::<Vec<_>>().join(", ");
        let could_have = agents.is_empty() && Agents::GAMES.contains(&game.name());
        let models = if could_have {
            "; language models sit at tables of a server started with --agents FILE"
        } else {
            ""
        };
        let (game, name) = (game.name(), name.unwrap_or_default());
        ApiError::NoSuchBot(format!("{game} has no bot '{name}'; bots are {known}{models}"))
    })
}

fn seat_entry(
    agents: &Agents,
    game: &dyn GameInfo,
    order: &CreateSeat,
) -> Result<SeatEntry, ApiError> {
    match order.kind {
        Kind::Human if order.bot.is_some() => {
            Err(ApiError::InvalidSeats("a seat for a person names no bot".to_owned()))
        }
        // Whoever comes to an open seat brings a name of their own.
        Kind::Human => {
            order.name.as_deref().map(proper_name).transpose().map(|_| SeatEntry::open())
        }
        Kind::Bot => {
            let bot = bot_named(agents, game, order.bot.as_deref())?;
            let name = order.name.as_deref().map(proper_name).transpose()?;
            Ok(SeatEntry::of_bot(name, &bot, None))
        }
    }
}

/// Lays a table.
#[utoipa::path(post, path = "/api/v1/tables", request_body = CreateTable, tag = "lobby", responses(
    (status = 201, description = "The table is laid; with one person and bots it has begun", body = TableLaid),
    (status = 400, description = "It cannot be laid like that", body = ErrorBody),
    (status = 403, description = "SEEDS_NOT_ALLOWED, AGENTS_NOT_ALLOWED", body = ErrorBody),
    (status = 409, description = "NAME_TAKEN", body = ErrorBody),
    (status = 429, description = "RATE_LIMITED, TOO_MANY_TABLES, TOO_MANY_SELF_PLAYING, QUOTA_SPENT, AGENTS_SPENT; Retry-After says when to try again", body = ErrorBody),
    (status = 503, description = "TOO_MANY_TABLES, TOO_MANY_SELF_PLAYING, QUOTA_SPENT in all; Retry-After says when to try again", body = ErrorBody),
))]
pub async fn create(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    headers: HeaderMap,
    Payload(order): Payload<CreateTable>,
) -> Result<Response, ApiError> {
    let is_admin = is_admin(&registry, &headers);
    if !is_admin {
        registry.limits.table(from)?;
    }
    let game = game_named(&order.game)?;
    if order.seed.is_some() && !registry.config.allow_seeds {
        return Err(ApiError::SeedsNotAllowed);
    }
    if order.bot_ms.is_some_and(|pace| pace > SLOWEST) {
        return Err(ApiError::Malformed(format!("bots wait at most {SLOWEST} ms")));
    }
    if order.seats.len() > 32 {
        return Err(ApiError::InvalidSeats("no game has more than 32 seats".to_owned()));
    }
    let mut seats = Vec::with_capacity(order.seats.len());
    for seat in &order.seats {
        seats.push(seat_entry(&registry.config.agents, game, seat)?);
    }
    let token = new_token();
    let own = order.seats.iter().position(|seat| seat.kind == Kind::Human);
    let mut asked = order.seats.iter().zip(&mut seats);
    if let Some((asked, entry)) = asked.find(|(asked, _)| asked.kind == Kind::Human) {
        entry.name = Some(proper_name(asked.name.as_deref().unwrap_or(GUEST))?);
        entry.token = Some(TokenHash::of(&token).hex());
    }
    let laying = NewTable {
        game,
        rules: order.rules,
        seats,
        seed: order.seed,
        unlisted: order.unlisted,
        hosted: false,
        bot_pace_ms: order.bot_ms,
    };
    let agents = registry.agents_among(game, &laying.seats);
    registry.check_agents(agents, may_seat_agents(&registry, &headers), from)?;
    let record = registry.create((!is_admin).then_some(from), laying).await?;
    let laid = TableLaid {
        seats: stored_info(&record).seats,
        game: record.game.name(),
        token: own.map(|_| token.clone()),
        seat: own.map(|seat| seat as u8),
        player_id: own.map(|seat| Seat(seat as u8).player_id()),
        code: record.code,
        table_id: record.id,
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
#[utoipa::path(post, path = "/api/v1/tables/{table}/seats", request_body = JoinTable, tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "A seat is taken", body = Seated),
    (status = 404, description = "No such table", body = ErrorBody),
    (status = 409, description = "Full, or begun already", body = ErrorBody),
))]
pub async fn join(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Payload(request): Payload<JoinTable>,
) -> Result<Response, ApiError> {
    registry.limits.join(from)?;
    let name = proper_name(&request.name)?;
    let id = registry.table_id(from, &table).await?;
    take_seat(&registry, &id, &name).await
}

async fn take_seat(registry: &Arc<Registry>, id: &str, name: &str) -> Result<Response, ApiError> {
    let token = new_token();
    let hash = TokenHash::of(&token);
    let sit = |reply| Request::Sit { name: name.to_owned(), token: hash, reply };
    let seat = registry.ask(id, sit).await?;
    let info = registry.ask(id, |reply| Request::Info { reply }).await?;
    seated(id, &info.code, seat, token)
}

fn seated(id: &str, code: &str, seat: Seat, token: String) -> Result<Response, ApiError> {
    let (table_id, code) = (id.to_owned(), code.to_owned());
    let player_id = seat.player_id();
    let seated = Seated { table_id, code, seat: seat.0, player_id, token: token.clone() };
    Ok(with_cookie((StatusCode::CREATED, Json(seated)).into_response(), id, Some(token)))
}

/// Plays with whoever waits: sits down at the oldest open table with these
/// rules where all who wait are there, which begins when it is full, or lays
/// one. Whoever has no stream open ten seconds after they sat down is not there.
/// After 15 seconds the table's `bot_offered` turns true.
#[utoipa::path(post, path = "/api/v1/tables/quick", request_body = QuickJoin, tag = "lobby", responses(
    (status = 201, description = "A seat is taken", body = Seated),
    (status = 400, description = "No such game or rules", body = ErrorBody),
    (status = 409, description = "Someone else was faster", body = ErrorBody),
))]
pub async fn quick(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Payload(request): Payload<QuickJoin>,
) -> Result<Response, ApiError> {
    registry.limits.join(from)?;
    let name = proper_name(&request.name)?;
    let game = game_named(&request.game)?;
    let rules = game.resolve_rules(&registry.rules_or_default(game, request.rules))?;
    let wanted = rules_text(&rules)?;
    let fits = |record: &Record| {
        record.game.name() == game.name()
            && record.rules.get() == wanted.get()
            && registry.is_in_lobby(record)
    };
    // One after the other: of two who come at once the second finds the first.
    let _turn = registry.meeting.lock().await;
    let waiting = Some(Status::Waiting);
    let waiting = registry.find_tables(Among::Listed, waiting, usize::MAX, fits).await?;
    let token = new_token();
    let hash = TokenHash::of(&token);
    for record in waiting.iter().rev() {
        let meet = |reply| Request::Meet { name: name.clone(), token: hash, reply };
        if let Ok(seat) = registry.ask(&record.id, meet).await {
            return seated(&record.id, &record.code, seat, token);
        }
    }
    registry.limits.table(from)?;
    let fewest = *game.seats(&rules)?.start();
    let seats = (0..fewest).map(|_| SeatEntry::open()).collect();
    let order = NewTable {
        game,
        rules,
        seats,
        seed: None,
        unlisted: false,
        hosted: false,
        bot_pace_ms: None,
    };
    let record = registry.create(Some(from), order).await?;
    take_seat(&registry, &record.id, &name).await
}

/// Seats a bot in the first open seat.
#[utoipa::path(post, path = "/api/v1/tables/{table}/bots", request_body = AddBot, tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "The bot sits", body = SeatTaken),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "Full, or begun already", body = ErrorBody),
), security(("seat" = [])))]
pub async fn seat_bot(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
    Payload(order): Payload<AddBot>,
) -> Result<(StatusCode, Json<SeatTaken>), ApiError> {
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let game = registry.table(&id).await?.game;
    let bot = bot_named(&registry.config.agents, game, order.bot.as_deref())?;
    if registry.is_agent(game, &bot) {
        // Only who sits here may ask; nobody is counted for asking in vain.
        registry.ask(&id, |reply| Request::Identify { who, reply }).await?;
        registry.check_agents(1, may_seat_agents(&registry, &headers), from)?;
    }
    let sit = |reply| Request::SeatBot { who, bot: bot.clone(), level: None, reply };
    let seat = registry.ask(&id, sit).await?;
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
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Started>, ApiError> {
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    registry.ask(&id, |reply| Request::Start { who: Some(who), reply }).await?;
    Ok(Json(Started { status: Status::Playing }))
}

/// Another match with the same people: offers it, or agrees to it. Each gets
/// their seat at the next table, with the token they have; it begins when all
/// have agreed. Asking again gives the same answer.
#[utoipa::path(post, path = "/api/v1/tables/{table}/rematch", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "Your seat at the next table", body = Seated),
    (status = 409, description = "The match is not over, or REMATCH_DECLINED", body = ErrorBody),
), security(("seat" = [])))]
pub async fn rematch(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    registry.limits.join(from)?;
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let token = seat_token(&headers, &id).ok_or(ApiError::Unauthenticated)?;
    let may_seat_agents = may_seat_agents(&registry, &headers);
    let request = |reply| Request::Rematch { who, from, may_seat_agents, reply };
    let (seat, next) = registry.ask(&id, request).await?;
    seated(&next.table_id, &next.code, seat, token)
}

/// Declines another match: the table that waits for it is ended, and whoever
/// waits there is told.
#[utoipa::path(post, path = "/api/v1/tables/{table}/rematch/decline", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 204, description = "It is declined"),
    (status = 409, description = "NO_REMATCH: nobody offered one; or it has begun", body = ErrorBody),
), security(("seat" = [])))]
pub async fn decline_rematch(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    registry.ask(&id, |reply| Request::DeclineRematch { who, reply }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists tables, newest first. Tables that wait are listed while somebody is at
/// them.
#[utoipa::path(get, path = "/api/v1/tables", tag = "lobby", params(TableFilter), responses(
    (status = 200, description = "The tables", body = TableList),
))]
pub async fn list(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Query(lobby): Query<TableFilter>,
) -> Result<Json<TableList>, ApiError> {
    registry.limits.read(from)?;
    let status = lobby.status.as_deref().map(|name| {
        let known = Status::ALL.map(Status::name).join(", ");
        let unknown = || ApiError::Malformed(format!("'{name}' is no status; they are {known}"));
        Status::named(name).ok_or_else(unknown)
    });
    let limit = lobby.limit.unwrap_or(100).min(1000) as usize;
    let is_shown = |record: &Record| registry.is_in_lobby(record);
    let listed = registry.find_tables(Among::Listed, status.transpose()?, limit, is_shown).await?;
    Ok(Json(TableList { tables: listed.iter().map(stored_info).collect() }))
}

/// One table, as anyone may know it.
#[utoipa::path(get, path = "/api/v1/tables/{table}", tag = "lobby",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "The table", body = TableInfo),
    (status = 404, description = "No such table", body = ErrorBody),
))]
pub async fn show(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
) -> Result<Json<TableInfo>, ApiError> {
    let id = registry.table_id(from, &table).await?;
    Ok(Json(registry.ask(&id, |reply| Request::Info { reply }).await?))
}
