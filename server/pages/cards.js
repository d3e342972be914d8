// Koi-Koi in words: cards, yaku, scores and events. Nothing here touches the page.

const FLOWERS = ['pine', 'plum', 'cherry', 'wisteria', 'iris', 'peony', 'bush clover',
  'pampas', 'chrysanthemum', 'maple', 'willow', 'paulownia'];
const NAMED = {
  '0111': 'crane', '0311': 'curtain', '0811': 'full moon', '1111': 'rain man', '1211': 'phoenix',
  '0221': 'warbler', '0421': 'cuckoo', '0521': 'bridge', '0621': 'butterflies', '0721': 'boar',
  '0821': 'geese', '0921': 'sake cup', '1021': 'deer', '1121': 'swallow', '1141': 'storm',
};
const POETRY = ['0131', '0231', '0331'];
const BLUE = ['0631', '0931', '1031'];

export const CLASSES = ['bright', 'animal', 'ribbon', 'plain'];
export const month = (card) => Number(card.slice(0, 2));
export const flower = (card) => FLOWERS[month(card) - 1];
export const classOf = (card) => CLASSES[Number(card[2]) - 1];

export function mark(card) {
  if (NAMED[card]) return NAMED[card];
  if (POETRY.includes(card)) return 'poetry ribbon';
  if (BLUE.includes(card)) return 'blue ribbon';
  return classOf(card) === 'ribbon' ? 'red ribbon' : '';
}

export const isBlue = (card) => BLUE.includes(card);
export const nameOf = (card) => mark(card) ? `${mark(card)} (${flower(card)})` : flower(card);
export const matches = (card, field) => field.filter((other) => month(other) === month(card));
const list = (cards) => cards.map(nameOf).join(', ');

const brights = (cards) => cards.filter((card) => classOf(card) === 'bright');
const dry = (cards) => brights(cards).filter((card) => card !== '1111');
const of = (...set) => (cards) => set.filter((card) => cards.includes(card)).length;
const count = (kind) => (cards) => cards.filter((card) => classOf(card) === kind).length;

// Each yaku: its name, what it takes, how many cards, and how many of them one has.
export const YAKU = {
  GOKOU: ['Five brights', 'all five brights', 5, (cards) => brights(cards).length],
  SHIKOU: ['Four brights', 'four brights without the rain man', 4, (cards) => dry(cards).length],
  AMESHIKOU: ['Rainy four', 'the rain man and three more brights', 4,
    (cards) => of('1111')(cards) + Math.min(3, dry(cards).length)],
  SANKOU: ['Three brights', 'three brights without the rain man', 3, (cards) => dry(cards).length],
  INOSHIKACHOU: ['Boar, deer, butterflies', 'those three animals', 3, of('0721', '1021', '0621')],
  AKATAN: ['Poetry ribbons', 'pine, plum and cherry ribbons', 3, of(...POETRY)],
  AOTAN: ['Blue ribbons', 'peony, chrysanthemum and maple ribbons', 3, of(...BLUE)],
  HANAMI_ZAKE: ['Flower viewing', 'curtain and sake cup', 2, of('0311', '0921')],
  TSUKIMI_ZAKE: ['Moon viewing', 'full moon and sake cup', 2, of('0811', '0921')],
  TANE: ['Animals', 'five animals, one more point for each further', 5, count('animal')],
  TANZAKU: ['Ribbons', 'five ribbons, one more point for each further', 5, count('ribbon')],
  KASU: ['Plains', 'ten plains, one more point for each further', 10, count('plain')],
};
export const yakuName = (type) => YAKU[type]?.[0] ?? type;
const yakuList = (yakus) => yakus.map((one) => `${yakuName(one.type)} ${one.base_points}`).join(', ');

// What `player` scores by stopping now, with its arithmetic.
export function stopPays(snapshot, player, base) {
  const { ruleset } = snapshot.game;
  const calls = (mine) => snapshot.round.koi_status
    .filter((one) => (one.player_id === player) === mine)
    .reduce((sum, one) => sum + one.called_count, 0);
  const seven = ruleset.seven_point_double && base >= 7 ? 2 : 1;
  const called = { opponent_called: calls(false), any_called: calls(true) + calls(false) };
  const koi = ruleset.koi_factor === 'winner_own' ? 1 + calls(true)
    : called[ruleset.koi_factor] > 0 ? ruleset.koi_koi_multiplier : 1;
  return { points: base * seven * koi, sum: product(base, seven, koi) };
}

function product(base, seven, koi) {
  const factors = (seven > 1 ? ` × ${seven} (seven or more)` : '') + (koi > 1 ? ` × ${koi} (koi-koi)` : '');
  return factors ? `${base}${factors} = ${base * seven * koi}` : String(base);
}

// What calling koi-koi does to the score, by the rules of this table.
export function koiRisk(ruleset) {
  const factor = ruleset.koi_koi_multiplier;
  const lost = 'If the other player scores first, you get nothing';
  if (ruleset.koi_factor === 'winner_own') return `${lost}. Each of your calls adds one to your factor.`;
  if (ruleset.koi_factor === 'any_called') return `${lost}. Whoever scores now scores × ${factor}.`;
  return factor > 1 ? `${lost} and they score × ${factor}.` : `${lost}.`;
}

export function roundResult(ended, who) {
  if (ended.event === 'RoundScored') {
    const { seven_plus, opponent_koi } = ended.multipliers;
    return `${who(ended.winner)} scored ${ended.final_points}: ${yakuList(ended.yakus)}; `
      + `${product(ended.base_total, seven_plus, opponent_koi)}.`;
  }
  if (ended.event === 'RoundDrawn') return 'Both hands are empty. Nobody scored.';
  const where = ended.reason === 'FIELD_KUTTSUKI' ? 'Four of a month lay on the field'
    : ended.detail === 'FOUR_PAIRS' ? 'Four pairs in hand' : 'Four of a month in hand';
  const gain = ended.score_changes.find((one) => one.change > 0);
  return `${where}. ${ended.winner && gain ? `${who(ended.winner)} scored ${gain.change}` : 'Nobody scored'}.`;
}

const played = (play) => play && (play.captured.length
  ? `played ${nameOf(play.played)} and took ${list(play.captured)}`
  : `laid ${nameOf(play.played)} on the field`);
const flipped = (flip) => flip && (flip.captured.length
  ? `The pile gave ${nameOf(flip.flipped)}, which took ${list(flip.captured)}.`
  : `The pile gave ${nameOf(flip.flipped)}, which stays on the field.`);

// One event of the stream as a sentence; empty if it is not worth one.
export function tell(event, who) {
  const name = who(event.player);
  const turn = (hand, flip) => [hand && `${name} ${played(hand)}.`, flipped(flip)].filter(Boolean).join(' ');
  switch (event.event) {
    case 'RoundDealt': return `Round ${event.round} is dealt. ${who(event.dealer)} to play first.`;
    case 'TurnCompleted': return turn(event.hand_play, event.deck_flip);
    case 'SelectionRequired':
      return `${turn(event.completed.hand_play)} The pile gave ${nameOf(event.selection.source)}, `
        + `which may take ${event.selection.options.map(nameOf).join(' or ')}.`;
    case 'TurnProgressAfterSelection':
      return `${name} took ${list(event.selected_capture.captured)} with ${nameOf(event.selected_capture.source)}.`;
    case 'DecisionRequired':
      return `${turn(event.completed.hand_play, event.completed.deck_flip)} ${name} made ${yakuList(event.yaku_update.new)}.`.trim();
    case 'DecisionMade': return event.decision === 'KOI_KOI' ? `${name} called koi-koi.` : `${name} stopped.`;
    case 'RoundScored': case 'RoundDrawn': case 'RoundEndedInstantly': return roundResult(event, who);
    case 'GameFinished': return event.winner ? `${who(event.winner)} won the match.` : 'The match is drawn.';
    case 'TurnError': return event.message;
    case 'PlayerConnectionChanged':
      return `${who(event.player_id)} ${event.connected ? 'came back' : 'went away'}.`;
    default: return '';
  }
}
