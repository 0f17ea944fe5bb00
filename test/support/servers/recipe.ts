/** The servers that the tests can ask for. A further one is one more name here and one more recipe in servers.ts. */
export type ServerKind = 'mariadb' | 'mysql' | 'redis';

/** A server program that can be run here, and how. */
export interface Program {
  /** What to spawn before the server's own arguments: the program, or a loader that is given the program. */
  command: readonly string[];
  /** The folder that holds `share` and `lib` of this program. */
  prefix: string;
  /** In words for people, where it was found. */
  from: string;
}

/** Which Debian package holds the program, and where in it it lies. */
export interface DebianPackage {
  name: string;
  /** `own`: the release this machine runs; `sid`: Debian's newest, for what the releases do not carry. */
  suite: 'own' | 'sid';
  program: string;
  /** Further packages that it needs here and does not depend on. */
  more?: readonly string[];
}

/** What a server says about itself. */
export interface Answer {
  version: string;
  /** Where it keeps its data: tells our server from a stranger's that took the port first. */
  dataFolder: string;
}

/** What has to be known about a program to find it, on this machine or in a Debian package. */
export interface Wanted {
  /** The name of the folder that it is unpacked into. */
  kind: string;
  label: string;
  programs: readonly string[];
  /** What a program is called with to tell its version. */
  versionArguments: readonly string[];
  /** Whether the answer to `--version`, or the version a running server tells, is really this kind. */
  recognises(version: string): boolean;
  debianPackage: DebianPackage;
  /** It starts further processes of itself by its path, so no loader can stand before it: it runs on the C library of the machine. */
  startsItself?: boolean;
}

/** All that has to be known about one kind of server. */
export interface Recipe extends Wanted {
  kind: ServerKind;
  /** The environment variable that names a server which runs already. */
  variable: string;
  /** In words for people, what `variable` is to hold. */
  address: string;
  /** Makes the data folder, before the first start. `started` is told each process id, so that none is left over. */
  fill(program: Program, folder: string, started: (pid: number) => void): Promise<void>;
  arguments(program: Program, folder: string, port: number, data: Data): Promise<string[]>;
  /** The address of a server of ours on this port. */
  url(port: number): string;
  /** Asks a running server who it is; throws while it does not answer. */
  ask(url: string): Promise<Answer>;
  /** Throws when the login of this address is not allowed what the tests need. */
  checkRights(url: string): Promise<void>;
  /** The port inside the container of compose.yml; the service there is named like the kind. */
  containerPort: number;
}

/**
 * What becomes of the data of a program that is started here: they lie in `memory`, where that has the room; in a `temporary`
 * folder, where a crash may lose them; or there and `lasting`, as in earnest: what was committed is on the disk.
 */
export type Data = 'memory' | 'temporary' | 'lasting';

/** Where to look and where to keep: the tests of these files put others in place. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  cacheFolder: string;
  data?: Data;
}

export interface RunningServer {
  kind: ServerKind;
  url: string;
  version: string;
  /** In words for people, where the server came from. */
  from: string;
  stop(): Promise<void>;
  /** Ends the server by a signal and starts it again on its port, on what is left of its data; of programs begun here. */
  restart?(signal: NodeJS.Signals): Promise<void>;
}
