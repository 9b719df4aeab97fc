import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { oldState, type StateFields } from '../jobs/states.ts';

/** The state of a run in the clean room's lists and in the output of its job. */
export function runState(standing: StateFields): JsonMembers {
  const state = oldState(standing);
  return omitAbsent({
    life_cycle_state: state.life_cycle_state,
    result_state: 'result_state' in state ? state.result_state : undefined,
  });
}
