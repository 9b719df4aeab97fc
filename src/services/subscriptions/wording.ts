import { gatewayWording, type Wording } from '../../kernel/arm/body/index.ts';
import { subscriptionErrors } from './errors.ts';

/** Error messages of this provider for invalid bodies. */
export const wording: Wording = (kind, spot, expected) => {
  const { target: name } = spot;
  const options = { target: name };
  if (kind === 'missing') return subscriptionErrors.MissingParameter({ name }, options);
  if (kind === 'type') return gatewayWording(kind, spot, expected);
  const { words, rule = 'it has the wrong form' } = expected;
  const reason = words ? `it must be ${words.join(' or ')}` : rule;
  return subscriptionErrors.InvalidParameter({ name, reason }, options);
};
