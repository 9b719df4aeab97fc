import { errorTable } from '../../kernel/http/index.ts';

/** Errors of management groups. The real provider has few codes; several rows share a code and differ in the message. */
export const groupErrors = errorTable({
  NotFound: [404, "The management group '{group}' was not found."],
  NotFound__Parent: [404, "The parent management group '{group}' was not found."],
  NotFound__Subscription: [404, "The subscription '{subscription}' was not found in the tenant '{tenant}'."],
  NotFound__Membership: [404, "The subscription '{subscription}' is not in the management group '{group}'."],
  NotFound__Settings: [404, "The tenant '{tenant}' has no hierarchy settings."],
  NotFound__Operation: [404, "There is no operation on the management group '{group}'."],

  BadRequest: [400, '{reason}'],
  BadRequest__Name: [400, "The name '{name}' is not valid for a management group: {reason}."],
  BadRequest__OtherName: [400, "The name '{name}' in the body differs from the name '{group}' in the address."],
  BadRequest__GroupId: [
    400,
    "'{id}' is not the id of a management group, such as '/providers/Vendor.Management/managementGroups/name'.",
  ],
  BadRequest__Root: [400, 'The root management group cannot be {done}.'],
  BadRequest__HasChildren: [
    400,
    "The management group '{group}' cannot be deleted: it contains management groups or subscriptions. Move or delete them first.",
  ],
  BadRequest__IsDefault: [
    400,
    "The management group '{group}' cannot be deleted: it is the default management group of the hierarchy settings.",
  ],
  BadRequest__Cycle: [400, "The management group '{group}' cannot be moved below '{parent}', which is {relation}."],
  BadRequest__TooDeep: [
    400,
    "Below '{parent}', the management group '{group}' would make the hierarchy deeper than {most} levels below the root.",
  ],
  BadRequest__SettingsPlace: [
    400,
    "Hierarchy settings belong to the root management group '{root}' and not to '{group}'.",
  ],

  Conflict__Creating: [409, "The management group '{group}' is being created; wait until that is done."],
  Conflict__Deleting: [409, "The management group '{group}' is being deleted; wait until that is done."],
  Conflict__Moved: [409, 'The {what} was moved by another request at the same time; try again.'],
  Conflict__Quota: [409, 'The tenant has {maximum} management groups, which is its quota; delete some of them first.'],

  TooManyRequests: [
    429,
    "There are too many writes of management groups in the tenant '{tenant}'; try again after {seconds} seconds.",
  ],
});
