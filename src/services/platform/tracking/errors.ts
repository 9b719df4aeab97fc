import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of experiment tracking, with the messages of the real service. Throwing code truncates ids and names. */
export const trackingErrors = errorTable({
  INVALID_PARAMETER_VALUE: [400, '{reason}'],
  INVALID_PARAMETER_VALUE__Missing: [
    400,
    "Missing value for required parameter '{name}'. See the API docs for more information about request parameters.",
  ],
  INVALID_PARAMETER_VALUE__Type: [
    400,
    "Invalid value {value} for parameter '{name}' supplied: Hint: Value was of type '{type}'. See the API docs for more information about request parameters.",
  ],
  INVALID_PARAMETER_VALUE__PageToken: [400, 'Invalid page token, could not base64-decode: it is not one of this list.'],
  INVALID_PARAMETER_VALUE__RunDeleted: [400, "The run {id} must be in the 'active' state. Current state is deleted."],
  INVALID_PARAMETER_VALUE__RunActive: [400, "The run {id} must be in the 'deleted' state. Current state is active."],
  INVALID_PARAMETER_VALUE__ExperimentDeleted: [
    400,
    "The experiment {id} must be in the 'active' state. Current state is deleted.",
  ],
  INVALID_PARAMETER_VALUE__ExperimentActive: [
    400,
    "The experiment {id} must be in the 'deleted' state. Current state is active.",
  ],
  INVALID_PARAMETER_VALUE__BatchSize: [
    400,
    'Batched logging API requests must be at most {most} bytes, got a request of size {size}.',
  ],
  INVALID_PARAMETER_VALUE__BatchCount: [
    400,
    'A batch logging request can contain at most {most} {entity}. Got {count} {entity}. Please split up {entity} across multiple requests and try again.',
  ],
  INVALID_PARAMETER_VALUE__DuplicateParams: [
    400,
    'Duplicate parameter keys have been submitted: [{names}]. Please ensure the request contains only one param value per param key.',
  ],
  INVALID_PARAMETER_VALUE__ChangedParam: [
    400,
    "Changing param values is not allowed. Param with key='{name}' was already logged with value='{before}' for run ID='{id}'. Attempted logging new value '{value}'.",
  ],
  INVALID_PARAMETER_VALUE__RunNames: [
    400,
    "Both 'run_name' argument and 'mlflow.runName' tag are specified, but with different values (run_name='{name}', mlflow.runName='{tag}').",
  ],
  INVALID_STATE__Rename: [400, 'Cannot rename a non-active experiment.'],
  RESOURCE_ALREADY_EXISTS__Experiment: [400, "Experiment named '{name}' already exists."],
  RESOURCE_DOES_NOT_EXIST__Node: [404, 'Node ID {id} does not exist.'],
  RESOURCE_DOES_NOT_EXIST__NodeName: [404, 'Node {name} does not exist.'],
  RESOURCE_DOES_NOT_EXIST__Experiment: [404, 'No Experiment with id={id} exists'],
  RESOURCE_DOES_NOT_EXIST__Folder: [404, 'The parent folder ({path}) does not exist.'],
  RESOURCE_DOES_NOT_EXIST__Run: [404, 'Run with id={id} not found'],
  RESOURCE_DOES_NOT_EXIST__RunTag: [404, 'No tag with name: {name} in run with id {id}'],
  RESOURCE_DOES_NOT_EXIST__ExperimentTag: [404, 'No tag with name: {name} in experiment with id {id}'],
});
