/**
 * Policy of a confidential group that is created without one: it allows everything. There is one rule for each subject that the engine
 * queries the policy for.
 */

const API_VERSION = '0.10.0';

/** The grants of each rule beside `allowed`. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  mount_device: [],
  mount_overlay: [],
  create_container: ['env_list', 'allow_stdio_access'],
  unmount_device: [],
  unmount_overlay: [],
  exec_in_container: ['env_list'],
  exec_external: ['env_list', 'allow_stdio_access'],
  shutdown_container: [],
  signal_container_process: [],
  plan9_mount: [],
  plan9_unmount: [],
  get_properties: [],
  dump_stacks: [],
  runtime_logging: [],
  load_fragment: [],
  scratch_mount: [],
  scratch_unmount: [],
};

const GRANTS: Readonly<Record<string, string>> = { env_list: 'null', allow_stdio_access: 'true' };

/** The real service writes a blank after this rule, and clients compare policies byte by byte. */
const FOLLOWED_BY_BLANK = 'unmount_device';

const rules = Object.entries(RULES).map(([name, grants]) => {
  const members = ['"allowed": true', ...grants.map((grant) => `"${grant}": ${GRANTS[grant]}`)];
  return `${name} := {${members.join(', ')}}${name === FOLLOWED_BY_BLANK ? ' ' : ''}`;
});

const TEXT = ['package policy', '', `api_svn := "${API_VERSION}"`, '', ...rules, ''].join('\n');

/** Base64 of a policy in the Rego language. */
export const ALLOW_ALL_POLICY: string = Buffer.from(TEXT).toString('base64');
