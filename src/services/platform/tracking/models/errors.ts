import { errorTable } from '../../../../kernel/http/index.ts';

export const modelErrors = errorTable({
  RESOURCE_DOES_NOT_EXIST__Model: [404, "Logged model with ID '{id}' not found."],
  RESOURCE_DOES_NOT_EXIST__ModelTag: [404, "No tag with key '{name}' found for model with ID '{id}'."],
  INVALID_PARAMETER_VALUE__ModelName: [
    400,
    "Invalid model name ('{name}') provided. Model name must be a non-empty string and cannot contain the following characters: ('/', ':', '.', '%', '\"', \"'\").",
  ],
  INVALID_PARAMETER_VALUE__ModelStatus: [
    400,
    "Invalid model status: '{status}'. Expected statuses: ['LOGGED_MODEL_READY', 'LOGGED_MODEL_UPLOAD_FAILED'].",
  ],
  INVALID_PARAMETER_VALUE__ChangedModelParam: [
    400,
    "Changing param values is not allowed. Param with key='{name}' was already logged with value='{before}' for logged model ID='{id}'. Attempted logging new value '{value}'.",
  ],
});
