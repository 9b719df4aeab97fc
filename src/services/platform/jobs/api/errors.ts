import { errorTable } from '../../../../kernel/http/index.ts';

/** Errors that only the jobs API returns. */
export const jobErrors = errorTable({
  QUOTA_EXCEEDED__List: [
    400,
    'The workspace has more than {most} jobs: version 2.0 cannot list them. Use version 2.2, which has pagination.',
  ],
  INVALID_PARAMETER_VALUE__SeveralTasks: [
    400,
    'Retrieving the output of runs with multiple tasks is not supported. Please retrieve the output of each individual task run instead.',
  ],
  INVALID_PARAMETER_VALUE__NoNotebook: [
    400,
    'Run {run} has no notebook to export: only runs of notebook tasks have views.',
  ],
  INVALID_PARAMETER_VALUE__LongExport: [
    400,
    'The notebooks of run {run} have more than {most} characters together. Export each task by the id of its own run.',
  ],
  INVALID_PARAMETER_VALUE__TokenOfDeletedRun: [
    400,
    "The run {run} of the idempotency token '{token}' was deleted. Use another token.",
  ],
  INVALID_STATE__Active: [400, 'Run {run} is active: it is {state}. Only a run that has ended can be {verb}.'],
  INVALID_STATE__LatestRepair: [400, 'The latest repair of run {run} is {latest}: latest_repair_id must name it.'],
});
