import { spawn } from 'node:child_process';

/**
 * The program that opens an address in the user's preferred browser, by platform. None of them is a shell, so no shell interprets the
 * address.
 */
function openerOf(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** macOS and Windows always have a display. Elsewhere, without one, xdg-open would start a browser in the terminal. */
function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return !env.SSH_CONNECTION;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Resolves to false if no browser could be opened, which is not an error: the address is printed anyway. */
export function openInBrowser(url: string, platform = process.platform, env = process.env): Promise<boolean> {
  if (!hasDisplay(platform, env)) return Promise.resolve(false);
  const [command, ...args] = openerOf(platform);
  return new Promise((resolve) => {
    const opener = spawn(command, [...args, url], { detached: true, stdio: 'ignore', windowsHide: true, env });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
