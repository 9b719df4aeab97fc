import { bodyFields, readBody, type ValueOf, type VersionRules } from '../../../kernel/arm/body/index.ts';
import { IDENTITY, SAFEGUARDS, TOPIC_WORDING } from '../topics/body.ts';

/** Request bodies of system topics. */

const { object, text } = bodyFields();

const SYSTEM_TOPIC_BODY = object({
  properties: object({ source: text(), topicType: text(), ...SAFEGUARDS }),
  identity: IDENTITY,
});

export type SystemTopicBody = ValueOf<typeof SYSTEM_TOPIC_BODY>;

export const BodySchema = SYSTEM_TOPIC_BODY.schema();

/** Throws the first mistake; wrong types come first, as with the schema of the route. */
export function readSystemTopic(sent: unknown, rules?: VersionRules): SystemTopicBody {
  const reading = readBody(SYSTEM_TOPIC_BODY, sent, { context: undefined, wording: TOPIC_WORDING, rules });
  const mistake = reading.mistakes.first('type') ?? reading.mistakes.errors()[0];
  if (mistake) throw mistake;
  return reading.value;
}
