import { bodyFields } from '../../kernel/arm/body/index.ts';
import { isGuid } from '../../kernel/arm/index.ts';
import { subscriptionErrors } from './errors.ts';
import { wording } from './wording.ts';

/** Context of the rules of a body. */
export interface BodyContext {
  /** Provider namespaces that are equivalent to the canonical one. */
  readonly aliases: readonly string[];
}

export const fields = bodyFields<BodyContext>();
const { text, map } = fields;

const NAME = {
  pattern: /^.{1,64}$/s,
  rule: 'it must be 1 to 64 characters',
  emptyIsValue: false,
} as const;

export const displayName = () => text(NAME);
export const requiredName = () => text({ ...NAME, required: true });

export const guid = () =>
  text({
    check(value, at) {
      if (!isGuid(value))
        at.wrong(({ target }) =>
          subscriptionErrors.InvalidParameter({ name: target, reason: 'it must be a GUID' }, { target }),
        );
    },
  });

export const tags = () => map(text());

const LONGEST_SHOWN = 200;

/** A value shortened for error messages: a body may contain megabytes in one value. */
export const abbreviated = (value: string): string =>
  value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;

export { wording };
