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
  /** Provider prefixes that mean the same as the canonical one. */
  readonly aliases: readonly string[];
  readonly allowPrivileged: boolean;
  /** Of the api-version of the request. */
  readonly rules?: VersionRules | undefined;
}

type Rule = (body: GroupBody, context: ValidationContext) => ApiError[];

/** The rules about several fields; those about one field are declared with it, in `schema.ts`. */
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

/** The group in the body of a PUT. Throws what is wrong with it: the first mistake as the error, all of them in its details. */
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
  // Of the wrong type can only be what the schema of the route did not see: members whose names are in another case.
  const wrongType = mistakes.first('type');
  if (wrongType) throw wrongType;
  // A body that is too large to be held against every rule is told only that.
  throwAll(tooMany(draft));
  for (const mistake of impossibleValues(draft)) throw mistake;
  const ofFields = mistakes.count;
  for (const [kind, rule] of Object.entries(RULES)) {
    mistakes.addAll(kind, rule(draft, context));
    if (mistakes.count - ofFields >= MOST_DETAILS) break;
  }
  mistakes.throwAny(ORDER);
  // The size says something only once the numbers themselves are right.
  throwAll(wrongSize(draft, context.location));
  return draft;
}
