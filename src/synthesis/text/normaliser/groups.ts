/**
 * Cuts a long identifier into the groups in which people say it: threes, or fours where those come
 * out even ("4242 4242 4242 4242"), and never a lone last character. Five and fewer stay together.
 */
export function groupsOf(identifier: string): string[] {
  const { length } = identifier;
  if (length <= 5) return [identifier];
  const size = length % 4 === 0 ? 4 : 3;
  // A remainder of one or two joins the last groups: 7 is 3 + 4, 11 is 3 + 4 + 4.
  const larger = length % size;
  const count = Math.floor(length / size);
  const groups: string[] = [];
  for (let i = 0, start = 0; i < count; i++) {
    const end = start + size + (i >= count - larger ? 1 : 0);
    groups.push(identifier.slice(start, end));
    start = end;
  }
  return groups;
}
