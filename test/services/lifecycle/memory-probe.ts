import type { MemoryProbe } from '../../support/memory-probe.ts';
import { administrator, by, person } from './support.ts';

/** One more than an address may send in five minutes. */
const TOO_MANY_WRONG_TOKENS = 101;

/** The secret that `remember` was given; before that one that nobody has. */
let secret = 'nobody has this one';

/**
 * Tokens, the minutes in which their use was noted, and addresses that guess are remembered. `symbols/story.test.ts` sees to the
 * mappings of symbols.
 */
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
