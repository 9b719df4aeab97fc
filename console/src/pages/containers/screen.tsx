import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { useTheme } from '../../shared/theme.ts';
import { withNonce } from './nonce.ts';
import styles from './screen.module.css';

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

export interface Session {
  readonly container: string;
  /** The size that the shell was started with; the protocol has no message to change it. */
  readonly size: Size;
  readonly address: string;
  readonly password: string;
}

interface Props {
  readonly session: Session | undefined;
  /** Called with the reason when the other side closes. */
  readonly onEnd: (reason: string) => void;
  /** Called with the size that fits, for the next session. */
  readonly onSize: (size: Size) => void;
}

const SCROLLBACK_LINES = 5_000;

/** A terminal that shows one session. */
export function Screen({ session, onEnd, onSize }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(undefined);
  const latest = useRef({ session, onEnd, onSize });
  latest.current = { session, onEnd, onSize };
  const [theme] = useTheme();

  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const made = new Terminal({
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 13,
      scrollback: SCROLLBACK_LINES,
      cursorBlink: true,
      screenReaderMode: true,
      theme: themeOf(element),
    });
    const fit = new FitAddon();
    made.loadAddon(fit);
    withNonce(() => made.open(element));
    terminal.current = made;
    const observer = new ResizeObserver(() => {
      const size = fit.proposeDimensions();
      if (!size || !(size.cols > 0)) return;
      latest.current.onSize({ rows: size.rows, cols: size.cols });
      // A shell keeps the size that it was started with.
      if (!latest.current.session) made.resize(size.cols, size.rows);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.dispose();
      terminal.current = undefined;
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours follow the theme
  useEffect(() => {
    if (terminal.current && place.current) terminal.current.options.theme = themeOf(place.current);
  }, [theme]);

  useEffect(() => {
    const made = terminal.current;
    if (!made || !session) return undefined;
    return converse(made, session, (reason) => latest.current.onEnd(reason));
  }, [session]);

  return <div ref={place} className={styles.screen} />;
}

/** Bytes both ways, after the password. Returns what ends the conversation. */
function converse(
  terminal: Terminal,
  { address, password, size }: Session,
  onEnd: (reason: string) => void,
): () => void {
  terminal.reset();
  terminal.resize(size.cols, size.rows);
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  let isOver = false;
  socket.addEventListener('open', () => {
    socket.send(password);
    terminal.focus();
  });
  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
    terminal.write(typeof data === 'string' ? data : new Uint8Array(data));
  });
  socket.addEventListener('close', ({ reason }) => {
    if (!isOver) onEnd(`The connection has ended${reason === '' ? '' : `: ${reason}`}.`);
  });
  const typing = terminal.onData((text) => socket.readyState === WebSocket.OPEN && socket.send(text));
  return () => {
    isOver = true;
    typing.dispose();
    socket.close();
  };
}

function themeOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    background: colour('surface-raised'),
    foreground: colour('text'),
    cursor: colour('accent'),
    cursorAccent: colour('on-accent'),
    selectionBackground: colour('accent-soft'),
    selectionForeground: colour('text'),
    red: colour('failure'),
    green: colour('success'),
    yellow: colour('warning'),
    blue: colour('accent'),
    cyan: colour('info'),
  };
}
