import { ApiError } from '../../../../kernel/http/errors.ts';
import type { GroupBody } from '../schema.ts';
import { wrongCombinations } from './combinations.ts';
import { duplicates, wrongPolicies, wrongProbes, wrongSeccompProfiles } from './containers.ts';
import { wrongIdentities } from './identity.ts';
import { wrongDnsSettings, wrongTexts } from './names.ts';
import { wrongContainerPorts, wrongGroupPorts } from './network.ts';
import { wrongNumbers } from './numbers.ts';
import { requiredFields } from './required.ts';
import { wrongGpus, wrongLimits, wrongSize } from './resources.ts';
import { wrongPrivileges } from './security.ts';
import { impossibleValues, tooMany } from './sizes.ts';
import { wrongMounts, wrongVolumes } from './volumes.ts';
import { wrongWords } from './words.ts';

export { GROUP_NAME, RULES } from './names.ts';

export interface ValidationContext {
  readonly location: string;
  /** Provider prefixes that mean the same as the canonical one. */
  readonly aliases: readonly string[];
  readonly allowPrivileged: boolean;
}

type Rule = (body: GroupBody, context: ValidationContext) => ApiError[];

/** Every rule that a group can be held against by itself, in the order in which mistakes are told. */
const RULES_IN_ORDER: readonly Rule[] = [
  requiredFields,
  wrongWords,
  wrongTexts,
  wrongNumbers,
  duplicates,
  wrongContainerPorts,
  wrongGroupPorts,
  wrongMounts,
  wrongVolumes,
  wrongProbes,
  wrongDnsSettings,
  wrongLimits,
  wrongGpus,
  wrongCombinations,
  (body, { aliases }) => wrongIdentities(body, aliases),
  wrongSeccompProfiles,
  wrongPolicies,
  (body, { allowPrivileged }) => wrongPrivileges(body, allowPrivileged),
];

/** A body of nothing but mistakes gets the first of them. */
const MOST_DETAILS = 50;

/** Throws what is wrong with a group: the first mistake as the error, all of them in its details. */
export function validateGroup(body: GroupBody, context: ValidationContext): void {
  // A body that is too large to be held against every rule is told only that.
  throwMistakes(tooMany(body));
  for (const mistake of impossibleValues(body)) throw mistake;
  const mistakes: ApiError[] = [];
  for (const rule of RULES_IN_ORDER) {
    mistakes.push(...rule(body, context));
    if (mistakes.length >= MOST_DETAILS) break;
  }
  // The size says something only once the numbers themselves are right.
  throwMistakes(mistakes.length > 0 ? mistakes : wrongSize(body, context.location));
}

export function throwMistakes(mistakes: readonly ApiError[]): void {
  const [first] = mistakes;
  if (!first) return;
  if (mistakes.length === 1) throw first;
  const details = mistakes.slice(0, MOST_DETAILS).map(({ code, message, target }) => ({ code, message, target }));
  throw new ApiError(first.status, first.code, first.message, { target: first.target, details });
}
