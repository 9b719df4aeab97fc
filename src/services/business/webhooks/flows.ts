/** How the connector of the automation service names itself when it subscribes for a flow. */
const CONNECTOR = /\b(?:azure-logic-apps|microsoft-flow|power-?automate)\b/i;

/** Whether a request to subscribe comes from a flow; otherwise the control API can say that it does. */
export function isFlow({ 'user-agent': agent }: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return typeof agent === 'string' && CONNECTOR.test(agent);
}
