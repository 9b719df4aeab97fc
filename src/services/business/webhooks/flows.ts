/** User-Agent of the automation service's connector when it subscribes for a flow. */
const CONNECTOR = /\b(?:azure-logic-apps|microsoft-flow|power-?automate)\b/i;

/** True if a subscribe request comes from a flow; the control API can also mark a subscription as a flow's. */
export function isFlow({ 'user-agent': agent }: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return typeof agent === 'string' && CONNECTOR.test(agent);
}
