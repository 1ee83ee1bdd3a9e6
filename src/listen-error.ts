/** Where a server of ours listens, and which setting says so. */
interface ListenPlace {
  readonly host: string;
  readonly port: number;
  readonly portVariable: 'PORT' | 'SIDETONE_AUDIOSOCKET_PORT';
}

/** A server cannot listen where the settings say; the message names the setting to change. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Waits until a server listens.
 * @throws ListenError when the setting of its port or address is why it cannot.
 */
export async function listenAt<T>(place: ListenPlace, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const reason = reasonFor(place, (cause as NodeJS.ErrnoException).code ?? '');
    if (reason === undefined) throw cause;
    throw new ListenError(reason, { cause });
  }
}

function reasonFor({ host, port, portVariable }: ListenPlace, code: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use. Stop the program that has it, or choose another: ${portVariable}=${port < 65_535 ? port + 1 : port - 1}`;
    case 'EACCES':
      return `port ${port} may not be used by this user. Choose one above 1023: ${portVariable}=${port + 8000}`;
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `HOST is "${host}", which is no address of this machine. Take 127.0.0.1 for this machine alone, or 0.0.0.0 for all that reach it.`;
    default:
      return undefined;
  }
}
