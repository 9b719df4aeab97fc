import { defaultText, SETTING_LIST, type Setting, type SettingName } from './settings.ts';

const INTRODUCTION = `# Configuration

<!-- Generated from src/kernel/config/settings.ts by npm run docs:reference; edit the table there. -->

A jar runs without any configuration. Every setting below can be given as a flag, as an environment variable or as a key
of a JSON file. A flag overrides the environment, the environment overrides the file, and the file overrides the default.

- **Flags** follow \`cloudjar start\`, or \`npm start --\`: \`npm start -- --port 8080\`.
- **Environment variables** are the settings' names in capitals after \`CLOUDJAR_\`. An empty one counts as not set. A
  switch takes \`true\` or \`false\` (also \`1\` or \`0\`), a list takes values separated by commas.
- **The file** is \`cloudjar.config.json\` in the working folder, or the one named by \`--config\`. Relative paths in it
  start at its folder. An unknown key is an error, so that typing errors are noticed.

\`\`\`json
{
  "port": 8080,
  "clock": "virtual",
  "clockStart": "2026-01-31T09:00:00Z",
  "namespace": ["Microsoft"],
  "services": {}
}
\`\`\`

\`services\` contains the settings of single services under their names; the page of each service lists them:
[subscriptions](../services/subscriptions.md#settings), [resources](../services/generic-resources.md#types-of-your-own), [containers](../services/containers.md), [events](../services/events.md), [business](../services/business-webhooks.md#settings) (its [times](../services/business-batch-and-limits.md#timeouts), its [custom APIs](../services/business-entities.md#custom-apis)), [translator](../services/translator.md#settings), [data sharing](../services/datashare.md#settings), [lifecycle](../services/lifecycle.md#retirement), [push datasets](../services/datasets.md#settings), [mail](../services/mail.md#settings), [data platform](../services/platform.md#settings).

An error in any of these stops the start with one line that names the place and the expected value.
In Kubernetes, a service named \`cloudjar\` makes the cluster set \`CLOUDJAR_PORT\` to an address; give the service
another name or set \`enableServiceLinks: false\` on the pod.
`;

const TOGETHER = `## Combinations

- \`memory\` and \`databaseUrl\` exclude each other, whatever their source.
- \`clockStart\` requires \`clock\` to be \`virtual\`.
- \`port\`, \`httpsPort\`, \`smtpPort\` and \`dnsPort\` must differ from each other, unless they are 0.
`;

/** Renders docs/reference/configuration.md. */
export function configurationReference(): string {
  return [
    INTRODUCTION,
    overview(),
    '## Settings\n\nEach setting with its accepted values.\n',
    ...SETTING_LIST.map(section),
    TOGETHER,
  ].join('\n');
}

function overview(): string {
  const rows = SETTING_LIST.map((setting) => {
    const flag = setting.flag ? code(`--${setting.flag}`) : '';
    return `| [${code(setting.name)}](#${setting.name.toLowerCase()}) | ${flag} | ${code(setting.env)} | ${showDefault(setting)} |`;
  });
  return ['| key | flag | environment | default |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function section(setting: Setting & { readonly name: SettingName }): string {
  const { kind, flag } = setting;
  const lines = [
    `### ${setting.name}`,
    '',
    setting.description,
    '',
    flag ? `- Flag: ${code(`--${flag}${kind.placeholder ? ` <${kind.placeholder}>` : ''}`)}` : '- Flag: none',
    `- Environment: ${code(setting.env)}`,
    `- File: ${setting.inFile === false ? 'not supported' : code(`"${setting.name}"`)}`,
    `- Value: ${kind.choices ? kind.choices.map(code).join(', ') : kind.expected}`,
    ...(kind.repeatable ? ['- Repeatable: as a flag once per value'] : []),
    ...(showDefault(setting) ? [`- Default: ${showDefault(setting)}`] : []),
    ...(setting.secret ? ['- Secret: never shown in logs and errors'] : []),
    '',
  ];
  return lines.join('\n');
}

function showDefault(setting: Setting): string {
  if (setting.defaultText !== undefined) return setting.defaultText;
  if (typeof setting.default === 'boolean') return code(String(setting.default));
  const text = defaultText(setting);
  return text ? code(text) : '';
}

function code(text: string): string {
  return `\`${text}\``;
}
