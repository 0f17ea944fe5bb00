/** The servers that tests can use. To add one, add a name here and a recipe in servers.ts. */
export type ServerKind = 'mariadb' | 'mysql' | 'redis';

/** A server program that can run here. */
export interface Program {
  /** Command to spawn before the server's arguments: the program, or a loader with the program as its argument. */
  command: readonly string[];
  /** The folder with `share` and `lib` of this program. */
  prefix: string;
  /** A description of the place where it was found. */
  from: string;
}

/** The Debian package that contains the program, and its path in the package. */
interface DebianPackage {
  name: string;
  /** `own`: this machine's release; `sid`: Debian's newest, for packages that releases lack. */
  suite: 'own' | 'sid';
  /** A `*` at the end stands for the rest of the name, such as a version. */
  program: string;
  /** Further packages that it needs here without depending on them. */
  more?: readonly string[];
}

/** The identity that a server reports. */
export interface Answer {
  version: string;
  /** Its data folder, which distinguishes our server from another one that took the port first. */
  dataFolder: string;
}

/** Describes how to find a program on this machine or in a Debian package. */
export interface ProgramSource {
  /** The name of the folder that it is unpacked into. */
  kind: string;
  label: string;
  programs: readonly string[];
  /** Arguments that make a program print its version. */
  versionArguments: readonly string[];
  /** Whether the output of `--version`, or the version of a running server, belongs to this kind. */
  recognises(version: string): boolean;
  debianPackage: DebianPackage;
  /**
   * Whether it starts further processes by its own path. Then no loader can be used, and it runs on the machine's C
   * library.
   */
  startsItself?: boolean;
}

/** Everything about one kind of server. */
export interface Recipe extends ProgramSource {
  kind: ServerKind;
  /** The environment variable that names a running server. */
  variable: string;
  /** A description of the value that `variable` must have. */
  address: string;
  /**
   * Creates the data folder before the first start. Calls `started` with each process id, so that all can be killed.
   */
  fill(program: Program, folder: string, started: (pid: number) => void): Promise<void>;
  arguments(program: Program, folder: string, port: number, data: Data): Promise<string[]>;
  /** The address of our server on this port. */
  url(port: number): string;
  /** Asks a running server for its identity. Throws while it does not answer. */
  ask(url: string): Promise<Answer>;
  /** Throws when the login of this address lacks rights that the tests need. */
  checkRights(url: string): Promise<void>;
  /** The port in the container of compose.yml, whose service has the name of the kind. */
  containerPort: number;
}

/**
 * The place for the data of a started program: `memory`, if there is room; a `temporary` folder without durability;
 * or `durable`, a temporary folder in which commits are on disk.
 */
export type Data = 'memory' | 'temporary' | 'durable';

/** The environment and cache folder. Tests of these files replace them. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  cacheFolder: string;
  data?: Data;
}

export interface RunningServer {
  kind: ServerKind;
  url: string;
  version: string;
  /** A description of the place from which the server came. */
  from: string;
  stop(): Promise<void>;
  /**
   * Ends the server by a signal and starts it again on its port with its remaining data. Only for programs started
   * here.
   */
  restart?(signal: NodeJS.Signals): Promise<void>;
}
