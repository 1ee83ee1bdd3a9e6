/** A table of words in a line: "Mr Mister|Jr Junior"; the first space ends the written form. */
export function wordPairs(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split('|').map((entry) => {
      const space = entry.indexOf(' ');
      return [entry.slice(0, space), entry.slice(space + 1)];
    }),
  );
}
