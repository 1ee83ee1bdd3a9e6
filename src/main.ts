import { refuseOldNode } from './node-version.ts';

refuseOldNode();
// Only now: everything below is written for the Node that was just asked for.
void import('./run-server.ts').then(({ runServer }) => runServer(process.env));
