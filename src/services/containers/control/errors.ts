import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the control routes of container groups. */
export const groupControlErrors = errorTable({
  NoSuchContainerGroup: [404, "There is no container group '{name}' in the resource group '{resourceGroup}'."],
});
