import { type Problem, problem } from '../mime/problem.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';
import type { ContentLine } from './lines.ts';

/** A component with its properties by name; `children` are its nested components. */
export interface ComponentNode {
  readonly kind: string;
  readonly properties: Map<string, ContentLine[]>;
  readonly children: ComponentNode[];
}

/** Top-level components: a BEGIN of one of them closes a component that is still open, since the END of that component is missing. */
const TOP_COMPONENTS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE', 'VAVAILABILITY', 'VPOLL']);

/** Builds the calendars of a text. Missing END lines are implied; END lines without an open component are ignored. */
export function buildTree(lines: readonly ContentLine[]): readonly ComponentNode[] | Problem {
  const calendars: ComponentNode[] = [];
  let open: ComponentNode[] = [];
  let count = 0;
  for (const line of lines) {
    if (line.name === 'END') {
      open = closed(open, line.value.trim().toUpperCase());
    } else if (line.name !== 'BEGIN') {
      addProperty(open.at(-1), line);
    } else {
      if (++count > CALENDAR_BOUNDS.components) {
        return problem('tooManyComponents', `the calendar has more than ${CALENDAR_BOUNDS.components} components`);
      }
      const node: ComponentNode = { kind: line.value.trim().toUpperCase(), properties: new Map(), children: [] };
      open = parentsOf(node.kind, open);
      if (node.kind === 'VCALENDAR') calendars.push(node);
      else open.at(-1)?.children.push(node);
      open.push(node);
    }
  }
  return calendars;
}

function addProperty(node: ComponentNode | undefined, line: ContentLine): void {
  if (!node) return;
  const others = node.properties.get(line.name);
  if (others) others.push(line);
  else node.properties.set(line.name, [line]);
}

function closed(open: ComponentNode[], kind: string): ComponentNode[] {
  const at = open.findLastIndex((node) => node.kind === kind);
  return at < 0 ? open : open.slice(0, at);
}

function parentsOf(kind: string, open: ComponentNode[]): ComponentNode[] {
  if (kind === 'VCALENDAR') return [];
  if (TOP_COMPONENTS.has(kind)) return open.slice(0, 1);
  if (kind !== 'STANDARD' && kind !== 'DAYLIGHT') return open;
  const zone = open.findLastIndex((node) => node.kind === 'VTIMEZONE');
  return zone < 0 ? open : open.slice(0, zone + 1);
}

/** The first property with a name. RFC 5545 allows most properties only once, and a second one must not override what other readers see. */
export const propertyOf = (node: ComponentNode, name: string): ContentLine | undefined =>
  node.properties.get(name)?.[0];

export const propertiesOf = (node: ComponentNode, name: string): readonly ContentLine[] =>
  node.properties.get(name) ?? [];

export const textValue = (node: ComponentNode, name: string): string => propertyOf(node, name)?.value ?? '';

export const wordOf = (node: ComponentNode, name: string): string => textValue(node, name).trim().toUpperCase();
