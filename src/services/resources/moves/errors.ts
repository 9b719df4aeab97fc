import { errorTable } from '../../../kernel/http/index.ts';

/** Reasons why a move fails. All but the first few are details, one per resource. */
export const moveErrors = errorTable({
  InvalidTargetResourceGroup: [
    400,
    "The target '{target}' is not the id of a resource group: /subscriptions/…/resourceGroups/….",
  ],
  MoveTargetIsSource: [400, "The resource group '{group}' is both source and target of the move."],
  ResourceMoveFailed: [409, '{count} of the resources cannot be moved, so none was moved; the details say why.'],
  ResourceMoveValidationFailed: [409, 'The resources cannot be moved; the details say why.'],

  ResourceMoveNotSupported: [409, "Resource move is not supported for resources of the type '{type}'."],
  ResourceMoveChildNotSupported: [
    409,
    "The resource '{id}' moves with its parent '{parent}'; list the parent instead.",
  ],
  ResourcesNotInSourceGroup: [
    409,
    "The resource '{id}' is not in the source group '{group}'; one move can only contain resources of one group.",
  ],
  ResourceToMoveNotFound: [404, "The resource '{id}' could not be found."],
  ResourceAlreadyExistsInTarget: [409, "The target group '{group}' already has a resource '{id}'."],
  MoveCannotProceedWithResourcesNotInSucceededState: [
    409,
    "The resource '{id}' is in the provisioning state '{state}'; it can be moved once that is 'Succeeded'.",
  ],
});
