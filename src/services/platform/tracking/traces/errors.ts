import { errorTable } from '../../../../kernel/http/index.ts';

export const traceErrors = errorTable({
  RESOURCE_DOES_NOT_EXIST__Trace: [404, "Trace with ID '{id}' not found."],
  RESOURCE_DOES_NOT_EXIST__TraceTag: [404, "No trace tag with key '{name}' for trace with ID '{id}'"],
  RESOURCE_DOES_NOT_EXIST__Assessment: [404, "Assessment with ID '{assessment}' not found for trace '{id}'"],
  RESOURCE_ALREADY_EXISTS__Trace: [400, "Trace with ID '{id}' already exists."],
  INVALID_PARAMETER_VALUE: [400, '{reason}'],
});
