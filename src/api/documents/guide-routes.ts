import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SpeechError } from '../../domain/errors.ts';
import { withoutQuery } from '../http/log-options.ts';
import { PAGE, sendPage, UNCHANGED } from './document-reply.ts';
import { guidePage } from './guide-page.ts';
import { PAGES } from './pages.ts';
import { RenderedDocument } from './rendered-document.ts';

/**
 * `GET /docs/{page}`: the pages for users, rendered once. `GET /` sends browsers to `/docs`; programs
 * are told that nothing is there.
 */
export function guideRoutes(app: FastifyInstance): void {
  const pages = new Map(
    PAGES.map((page) => [page.name, new RenderedDocument(() => guidePage(page))]),
  );
  app.get(
    '/docs/:page',
    {
      schema: {
        access: 'public',
        tags: ['Documents'],
        summary: 'Show a page for users',
        params: Type.Object({
          page: Type.String({
            description: `One of ${PAGES.map(({ name }) => name).join(', ')}.`,
            examples: [PAGES[0]?.name],
          }),
        }),
        response: { 200: PAGE, 304: UNCHANGED },
        errors: ['not_found'],
      },
    },
    (request, reply) => {
      const page = pages.get((request.params as { page: string }).page);
      if (!page) throw new SpeechError('not_found', 'There is no such page. See /docs for a list.');
      return sendPage(page, request, reply);
    },
  );
  app.addHook('onRequest', async (request, reply) => {
    // The links of the pages are relative.
    const path = withoutQuery(request.url);
    if (request.routeOptions.url?.startsWith('/docs') && path.endsWith('/')) {
      return reply.redirect(`../${path.split('/').findLast(Boolean)}`);
    }
    const isBrowser = request.headers.accept?.includes('text/html') === true;
    if (request.method !== 'GET' || request.url !== '/' || !isBrowser) return undefined;
    return reply.redirect('docs');
  });
  app.addHook('onReady', async () => {
    for (const page of pages.values()) page.render();
  });
}
