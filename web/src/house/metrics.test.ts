import { expect, test } from 'vitest';
import { between, readMeasures } from './metrics';

test('measures are summed over their labels, and rates are taken between readings', () => {
  const page = (refusals: number) => `# TYPE parlor_refusals_total counter
parlor_refusals_total{code="INVALID_CARD"} ${refusals}
parlor_refusals_total{code="WRONG_PLAYER"} 1
parlor_append_seconds_bucket{le="+Inf"} 7
parlor_append_seconds_sum 0.5
parlor_append_seconds_count ${refusals}
parlor_events_appended_total 84
`;
  const before = readMeasures(page(2), 0);
  expect(before.refusals).toBe(3);
  expect(before.events).toBe(84);
  expect(between(before, readMeasures(page(6), 2000))).toEqual({ events: 0, commands: 0, refusals: 2, appendMs: 0 });
});
