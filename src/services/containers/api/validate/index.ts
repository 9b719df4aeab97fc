import { MOST_DETAILS, readBody, throwAll, type VersionRules } from '../../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { GROUP, type GroupBody, type PROFILE } from '../schema.ts';
import { wrongCombinations } from './combinations.ts';
import { duplicates, wrongProbes } from './containers.ts';
import { wrongIdentities } from './identity.ts';
import { wrongContainerPorts, wrongGroupPorts } from './network.ts';
import { ORDER, type RuleKind } from './order.ts';
import { wrongGpus, wrongLimits, wrongSize } from './resources.ts';
import { wrongPrivileges } from './security.ts';
import { impossibleValues, MOST_ENTRIES, tooMany } from './sizes.ts';
import { wrongConfigMaps, wrongMounts, wrongVolumes } from './volumes.ts';

export interface ValidationContext {
  readonly location: string;
  /** Provider namespaces that are equivalent to the canonical one. */
  readonly aliases: readonly string[];
  readonly allowPrivileged: boolean;
  /** Rules of the request's api-version. */
  readonly rules?: VersionRules | undefined;
}

type Rule = (body: GroupBody, context: ValidationContext) => ApiError[];

/** Rules across fields; rules for one field are declared with the field, in `schema.ts`. */
const RULES: Readonly<Record<RuleKind, Rule>> = {
  duplicate: duplicates,
  'container port': wrongContainerPorts,
  'group port': wrongGroupPorts,
  mount: wrongMounts,
  volume: wrongVolumes,
  'config map': wrongConfigMaps,
  probe: wrongProbes,
  limit: wrongLimits,
  gpu: wrongGpus,
  combination: wrongCombinations,
  identity: (body, { aliases }) => wrongIdentities(body, aliases),
  privilege: (body, { allowPrivileged }) => wrongPrivileges(body, allowPrivileged),
};

/** Parses and validates the group in the body of a PUT. The thrown error is the first mistake; its details list all mistakes. */
export function readGroup(
  sent: unknown,
  context: ValidationContext,
  form: typeof GROUP | typeof PROFILE = GROUP,
): GroupBody {
  const { draft, mistakes } = readBody(form, sent, {
    context: undefined,
    unreadBeyond: MOST_ENTRIES,
    rules: context.rules,
  });
  // The route's schema catches wrong types, except in members whose names are written in another case.
  const wrongType = mistakes.first('type');
  if (wrongType) throw wrongType;
  // If the body exceeds these limits, only that is reported, because checking every rule would cost too much.
  throwAll(tooMany(draft));
  for (const mistake of impossibleValues(draft)) throw mistake;
  const ofFields = mistakes.count;
  for (const [kind, rule] of Object.entries(RULES)) {
    mistakes.addAll(kind, rule(draft, context));
    if (mistakes.count - ofFields >= MOST_DETAILS) break;
  }
  mistakes.throwAny(ORDER);
  // The size check makes sense only when the numbers themselves are valid.
  throwAll(wrongSize(draft, context.location));
  return draft;
}
