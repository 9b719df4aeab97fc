import { TIERS } from '../limits.ts';
import { type Account, KINDS } from './account.ts';

/** What is said of a key in a seed file, in the configuration and through the control API. */
export interface GivenKey extends Omit<Account, 'kind'> {
  readonly kind?: Account['kind'];
  /** The secret; made by the jar where it may be left out. */
  readonly key?: string;
}

/** Written out rather than built, since the seed is read at every start. */
export const KEY_PROPERTIES = {
  key: {
    type: 'string',
    minLength: 16,
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'The secret that clients send',
  },
  tier: { type: 'string', enum: [...TIERS], description: 'Which limits hold; none where there is none' },
  region: {
    type: 'string',
    minLength: 1,
    maxLength: 60,
    pattern: '\\S',
    description: 'Requests have to name it; a key without one is global',
  },
  kind: { type: 'string', enum: [...KINDS] },
} as const;

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'How limits, logs and the control API call the key',
} as const;

/** A list of keys; `required` is what each has to say. */
export const keyList = (required: readonly (keyof GivenKey)[]) => ({
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    additionalProperties: false,
    required: [...required],
    properties: { name: NAME, ...KEY_PROPERTIES },
  },
});

const NAME_PATTERN = new RegExp(NAME.pattern);

export const isKeyName = (name: string): boolean => name.length <= NAME.maxLength && NAME_PATTERN.test(name);
