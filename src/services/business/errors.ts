import { errorTable } from '../../kernel/http/index.ts';

/**
 * All errors of the business application. A row's name is its code; a suffix after `__` distinguishes messages of the same code. The family
 * adds the correlation id.
 */
export const errors = errorTable({
  BadRequest: [400, '{reason}'],
  BadRequest__Property: [400, "The property '{property}' does not exist on the type 'Microsoft.NAV.{entity}'{near}."],
  BadRequest__Value: [400, "The property '{property}' cannot take {value}: {reason}."],
  BadRequest_InvalidRequestUrl: [400, '{reason}'],
  BadRequest_NotFound: [400, '{reason}'],
  BadRequest_ResourceNotFound: [404, "No HTTP resource was found that matches '{resource}'{hint}."],
  BadRequest_InvalidOperation: [400, "The property '{property}' is read-only and cannot be changed."],
  BadRequest_InvalidOperation__Intent: [400, 'A request with Data-Access-Intent: ReadOnly cannot change anything.'],
  BadRequest_InvalidOperation__Nested: [400, '{reason}'],
  BadRequest_InvalidToken: [400, "The request header 'If-Match' must be specified as an ETag of the entity or as '*'."],
  BadRequest_RequiredParamNotProvided: [400, "The property '{property}' is required."],
  BadRequest_MethodNotAllowed: [405, "'{method}' is not allowed on '{resource}'; it takes {allowed}."],
  BadRequest_MethodNotImplemented: [501, '{reason}'],
  Request_EntityChanged: [
    409,
    'Another user has already changed the record. Read it again and send the If-Match that it has now.',
  ],
  Internal_RecordNotFound: [404, "There is no {entity} with the id '{id}' in this company."],
  Internal_RecordNotFound__Subscription: [404, "There is no subscription '{id}'; it may have expired or been deleted."],
  Internal_RecordNotFound__Related: [404, "The {entity} has no '{navigation}'."],
  Internal_InvalidTableRelation: [
    400,
    "The field '{field}' contains the value '{value}', which is no {table} of this company.",
  ],
  Internal_EntityWithSameKeyExists: [
    409,
    "The {entity} already exists. Identification fields and values: {field}='{value}'.",
  ],
  Internal_CompanyNotFound: [
    404,
    'There is no company {company}. Name one by companies(id) in the path, or by ?company=.',
  ],
  Internal_TenantUnavailable: [503, '{reason}'],
  Application_DialogException: [400, '{reason}'],
  Application_EvaluateException: [400, "'{value}' cannot be read as {type} for '{property}'."],
  Application_StringExceededLength: [
    400,
    "The length of the string is {length}, but it must be less than or equal to {maximum} characters: '{property}'.",
  ],
  Application_InvalidGUID: [400, "'{value}' is not a GUID: '{property}'."],
  Application_FilterErrorException: [400, '{reason}'],
  Application_FieldValidationException: [400, "'{property}': {reason}."],
  Application_CallbackNotAllowed: [400, '{reason}'],
  Application_TooManyRequests: [429, '{reason}'],
  Authentication_InvalidCredentials: [401, '{reason}'],
  Authorization_PermissionDenied: [403, '{reason}'],
  SkipTokenIsNoLongerValid: [
    400,
    "The row after which '$skiptoken' continues no longer exists; read the list again from its start.",
  ],
  Unknown: [400, '{reason}'],
  BadRequest__MediaType: [415, '{reason}'],
  FailedDependency: [424, "The request was not tried, since '{dependency}', which it depends on, has failed."],
  RequestTimeout: [408, '{reason}'],
  GatewayTimeout: [504, '{reason}'],
  ServiceUnavailable: [503, '{reason}'],
});
