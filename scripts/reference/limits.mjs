// docs/reference/limit-list.md: every limit of every service, from the tables that are enforced.
import { CONTROL_LIMITS } from '../../src/control/limits-table.ts';
import { apisOf } from '../../src/kernel/service/index.ts';
import { SERVICES } from '../../src/services.ts';
import { code, generatedPage, SERVICE_PAGES, tableOf } from './page.mjs';

/** @typedef {import('../../src/kernel/limits/index.ts').Limit} Limit */

const INTRODUCTION = `
Every limit that a jar enforces, with its default. \`npx cloudjar limits\` shows the current values and their use;
\`npx cloudjar limits set\` and \`PATCH /_jar/limits\` change a limit while the jar runs, for all callers or for one scope: [Rate limits and quotas](limits.md).

| kind | meaning |
|---|---|
| quota | how many may exist at the same time, or may be created in a window |
| bound | how large, long or deep one thing may be |
| bucket | a token bucket: this many requests at once, refilled at a steady rate |
| window | this many in a fixed or sliding window |
| concurrency | this many at the same time, each until it ends |

*Counted per* names the parts of the scope that have a count of their own; a dash means one count for the whole jar. A limit that is *shadow* or *unlimited* by default counts and rejects nothing.
`;

export function limitListPage() {
  // A service may have further APIs with limits of their own.
  const services = SERVICES.map((service) => ({
    ...service,
    limits: apisOf(service).flatMap(({ limits = [] }) => limits),
  })).filter(({ limits }) => limits.length > 0);
  return generatedPage({
    title: 'List of limits',
    source: 'the limits in the manifests of the services (src/services.ts)',
    introduction: INTRODUCTION,
    sections: [
      ...services.map(({ name, title, limits }) => section(title, limits, SERVICE_PAGES[name])),
      section('Control API', CONTROL_LIMITS, undefined),
    ],
  });
}

/**
 * @param {string} title
 * @param {readonly Limit[]} limits
 * @param {string | undefined} page
 */
function section(title, limits, page) {
  const rows = limits.map((limit) => [
    code(limit.name),
    limit.title,
    limit.kind,
    limit.mode === 'unlimited' ? 'unlimited' : amountOf(limit) + (limit.mode === 'shadow' ? ' (shadow)' : ''),
    limit.scope.map(wordsOf).join(', ') || '-',
  ]);
  const table = tableOf(['name', 'limits', 'kind', 'default', 'counted per'], rows);
  return { heading: title, text: page === undefined ? table : `${table}\n\nMore: [${title}](../services/${page}).` };
}

/**
 * Parts of a scope are named in code: `shareSubscription`.
 * @param {string} part
 */
const wordsOf = (part) => part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** @param {Limit} limit */
function amountOf(limit) {
  const unit = limit.unit ?? 'requests';
  const count = (/** @type {number} */ value) =>
    `${value.toLocaleString('en-US')} ${value === 1 ? unit.replace(/s\b/, '') : unit}`;
  switch (limit.kind) {
    case 'bucket':
      return `${count(limit.size)} at once, ${rateOf(limit.refillPerSecond)}`;
    case 'window':
      return `${count(limit.limit)} in ${durationOf(limit.windowMs)} (${limit.window})`;
    case 'concurrency':
      return `${count(limit.limit)} at the same time`;
    case 'quota':
      return limit.windowMs === undefined
        ? count(limit.limit)
        : `${count(limit.limit)} in ${durationOf(limit.windowMs)}`;
    default:
      return count(limit.limit);
  }
}

/** @param {number} perSecond */
const rateOf = (perSecond) =>
  perSecond >= 1 || perSecond === 0
    ? `${(Math.round(perSecond * 100) / 100).toLocaleString('en-US')} more a second`
    : `one more every ${durationOf(1000 / perSecond)}`;

const UNITS = /** @type {const} */ ([
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
]);

/** @param {number} ms */
function durationOf(ms) {
  const [size, name] = UNITS.find(([each]) => ms >= each && Number.isInteger(Math.round(ms) / each)) ?? [
    1,
    'millisecond',
  ];
  const count = Math.round(ms) / size;
  return `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`;
}
