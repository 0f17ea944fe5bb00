import { type Server, type ServerResponse } from 'node:http';

/** The requests that a server is answering. */
export class OpenAnswers {
  private readonly open = new Set<ServerResponse>();
  private areLast = false;

  constructor(server: Server) {
    server.prependListener('request', (_request, response) => {
      if (this.areLast) last(response);
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
    });
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node takes a connection for idle once its answer is written, though most of that may not have left yet.
    server.closeIdleConnections = () => {
      if (this.open.size === 0) closeIdle();
    };
  }

  /**
   * From now on each answer closes its connection, those of requests under way included: whoever keeps connections open must
   * not send further requests over them.
   */
  becomeLast(): void {
    this.areLast = true;
    for (const response of this.open) last(response);
  }
}

function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
