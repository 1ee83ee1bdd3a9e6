/**
 * The API key in the header `Authorization`. Asterisk, Exotel and mod_audio_fork can send nothing
 * but a user name and a password: the password is the key then, or the name where there is none.
 */
export function authorizationKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, basic] = /^Basic\s+(\S+)\s*$/i.exec(header) ?? [];
  if (basic === undefined) return header.replace(/^Bearer\s+/i, '');
  const [name = '', ...password] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return password.join(':') || name || undefined;
}
