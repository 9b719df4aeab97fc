import type { MemoryProbe } from '../../support/memory-probe.ts';
import { administrator, by, person } from './support.ts';

/** One more than the limit per address in five minutes. */
const TOO_MANY_WRONG_TOKENS = 101;

/** The secret given to `remember`; an unknown one before that. */
let secret = 'nobody has this one';

/** Covers tokens, the minutes of their recorded use, and rate-limited addresses. Symbol mappings are covered by `symbols/story.test.ts`. */
export const probe: MemoryProbe = {
  service: 'lifecycle',
  async remember(bench) {
    secret = (await person(bench, 'remembered')).token;
    const { status } = await by(bench, secret)('GET', '/user');
    if (status !== 200) throw new Error(`a new token is not good: ${status}`);
    const guesses = Array.from({ length: TOO_MANY_WRONG_TOKENS }, () => by(bench, 'a guess')('GET', '/user'));
    const statuses = (await Promise.all(guesses)).map((reply) => reply.status);
    if (!statuses.includes(429)) throw new Error('an address may guess for ever');
  },
  async look(bench) {
    const admin = await administrator(bench);
    const { status } = await admin.call('GET', '/user');
    const { text } = await admin.call('GET', '/api_tokens');
    const made = await by(bench, secret)('GET', '/user');
    return { admin: status, isUseNoted: text.includes('last_used_at'), made: made.status };
  },
};
