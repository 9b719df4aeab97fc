import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { oldState, type Standing } from '../jobs/states.ts';

/** The state of a run as lists of the clean room and the output of its job show it. */
export function runState(standing: Standing): JsonMembers {
  const state = oldState(standing);
  return omitAbsent({
    life_cycle_state: state.life_cycle_state,
    result_state: 'result_state' in state ? state.result_state : undefined,
  });
}
