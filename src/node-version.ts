const OLDEST_NODE = 20;

/**
 * Ends the process with a sentence on a Node that cannot run the rest. This file, and those that import it
 * first, keep to what Node 14 reads, and import everything else afterwards.
 */
export function refuseOldNode(): void {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= OLDEST_NODE) return;
  process.stderr.write(
    `Sidetone needs Node ${OLDEST_NODE} or newer; this is ${node}. Get it from https://nodejs.org.\n`,
  );
  process.exit(1);
}
