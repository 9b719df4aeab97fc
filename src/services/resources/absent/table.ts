/** An API of the gateway that the jar does not offer, with the reason and the alternative. */
export interface AbsentType {
  readonly type: string;
  readonly operations: string;
  readonly reason: string;
  /** POST actions of such a resource. */
  readonly actions?: readonly string[];
}

const ROLES =
  "roles come from the seed (section 'resources', 'roles'), as Owner, Contributor or Reader of a scope; see docs/services/resources.md.";
const POLICIES = 'a jar evaluates no policies; see docs/services/resources.md.';
const DEPLOYMENTS =
  'create each resource of the template with its own request, or in the seed; see docs/services/resources.md.';

export const ABSENT_TYPES: readonly AbsentType[] = [
  { type: 'Vendor.Authorization/roleAssignments', operations: 'RoleAssignments', reason: ROLES },
  { type: 'Vendor.Authorization/roleDefinitions', operations: 'RoleDefinitions', reason: ROLES },
  { type: 'Vendor.Authorization/denyAssignments', operations: 'DenyAssignments', reason: ROLES },
  { type: 'Vendor.Authorization/policyAssignments', operations: 'PolicyAssignments', reason: POLICIES },
  { type: 'Vendor.Authorization/policyDefinitions', operations: 'PolicyDefinitions', reason: POLICIES },
  { type: 'Vendor.Authorization/policySetDefinitions', operations: 'PolicySetDefinitions', reason: POLICIES },
  { type: 'Vendor.Authorization/policyExemptions', operations: 'PolicyExemptions', reason: POLICIES },
  {
    type: 'Vendor.Resources/deployments',
    operations: 'Deployments',
    reason: DEPLOYMENTS,
    actions: ['validate', 'whatIf', 'cancel', 'exportTemplate'],
  },
  {
    type: 'Vendor.Resources/deploymentStacks',
    operations: 'DeploymentStacks',
    reason: DEPLOYMENTS,
    actions: ['validate', 'exportTemplate'],
  },
  {
    type: 'Vendor.Resources/deploymentScripts',
    operations: 'DeploymentScripts',
    reason: DEPLOYMENTS,
  },
];
