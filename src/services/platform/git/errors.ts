import { errorTable } from '../../../kernel/http/index.ts';

/** The codes are those of the real service; its texts are not published. */
export const gitErrors = errorTable({
  GIT_URL_NOT_ON_ALLOW_LIST: [400, 'The repository {url} may not be used: {reason}.'],
  GIT_SENSITIVE_TOKEN_DETECTED: [400, 'The URL contains a credential. Create a Git credential instead.'],
  GIT_UNKNOWN_REF: [400, 'The repository {url} has no {what}.'],
  GIT_REMOTE_ERROR: [400, 'The repository {url} cannot be read: {reason}.'],
  GIT_CONFLICT: [409, 'The repo {path} has local changes ({change}), which a checkout would discard.'],
  TEMPORARILY_UNAVAILABLE: [503, 'Too many repositories are being read; try again in a second.'],
});
