import { type Server, type ServerResponse } from 'node:http';

/** Counts the requests that a server is answering. */
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
    // Node treats a connection as idle once the service has written its answer, even if most of the answer is not sent
    // yet.
    server.closeIdleConnections = () => {
      if (this.open.size === 0) closeIdle();
    };
  }

  /**
   * Makes each further answer close its connection, including answers to requests in progress. Otherwise clients would
   * send further requests over open connections.
   */
  becomeLast(): void {
    this.areLast = true;
    for (const response of this.open) last(response);
  }
}

function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
