import { errorTable } from '../../../kernel/http/index.ts';

/** Errors that only compute uses. */
export const computeErrors = errorTable({
  INVALID_PARAMETER_VALUE__NoCluster: [400, 'Cluster {id} does not exist'],
  INVALID_STATE__Cluster: [400, 'Cluster {id} is in unexpected state {state}.'],
  INVALID_STATE__JobCluster: [400, 'Cluster {id} was created by a job and cannot be changed.'],
  INVALID_STATE__Pinned: [400, 'Cluster {id} is pinned. Unpin it before it is deleted permanently.'],
  INVALID_STATE__NotTerminated: [400, 'Cluster {id} must be terminated before its owner is changed; it is {state}.'],
  QUOTA_EXCEEDED__Pinned: [400, 'At most {most} clusters of a workspace can be pinned. Unpin another cluster first.'],
  QUOTA_EXCEEDED__ClustersPerUser: [
    400,
    'The policy {policy} allows at most {most} active clusters per user. Terminate another cluster first.',
  ],
  PERMISSION_DENIED__MayNotCreate: [403, 'You are not authorized to create {what}. Please contact your administrator.'],
});

/** Errors of version 1.2, which consist of a code word and a text. */
export const contextErrors = errorTable({
  IllegalArgumentException: [400, '{reason}'],
  ContextNotFound: [404, 'Execution context {id} was not found on cluster {cluster}'],
  CommandNotFoundException: [404, 'Command {id} was not found in execution context {context}'],
  ClusterNotReadyException: [500, 'Cluster not in running state'],
  ContextLimitExceeded: [400, 'Too many execution contexts are open right now.(Limit set to {most}) {reason}'],
});
