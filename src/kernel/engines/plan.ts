/**
 * A container group as the engine runs it: all settings of the user including secrets, with defaults filled in. Derived from the stored
 * resource whenever it is needed, and never stored.
 */

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type Protocol = 'TCP' | 'UDP';

export interface GroupPlan {
  /** Identifies the group in the engine; never reused, not even for a group of the same name. */
  readonly uid: string;
  readonly resourceId: string;
  readonly name: string;
  readonly osType: 'Linux' | 'Windows';
  readonly restartPolicy: RestartPolicy;
  /** Run in order, one after the other, before any other container. */
  readonly init: readonly ContainerPlan[];
  readonly containers: readonly ContainerPlan[];
  readonly volumes: readonly VolumePlan[];
  readonly network: NetworkPlan;
  readonly registries: readonly RegistryLogin[];
}

export interface NetworkPlan {
  /** `Public`: reachable from outside the group at its own address; otherwise only from inside. */
  readonly address: 'Public' | 'Private' | 'None';
  readonly ports: readonly PortPlan[];
  readonly dns: DnsPlan | undefined;
}

export interface PortPlan {
  readonly port: number;
  readonly protocol: Protocol;
}

export interface DnsPlan {
  readonly nameServers: readonly string[];
  readonly searchDomains: readonly string[];
  readonly options: readonly string[];
}

export interface RegistryLogin {
  /** Host name without scheme. */
  readonly server: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface ContainerPlan {
  readonly name: string;
  readonly image: string;
  /** Undefined: the command of the image. */
  readonly command: readonly string[] | undefined;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly PortPlan[];
  /** Undefined for init containers, which may use the resources of the whole group. */
  readonly resources: ResourcePlan | undefined;
  readonly mounts: readonly MountPlan[];
  readonly security: SecurityPlan | undefined;
  readonly liveness: ProbePlan | undefined;
  readonly readiness: ProbePlan | undefined;
}

export interface ResourcePlan {
  readonly requests: { readonly cpu: number; readonly memoryBytes: number };
  /** The same as the requests if the user gave no limits. */
  readonly limits: { readonly cpu: number; readonly memoryBytes: number };
  readonly gpu: { readonly count: number; readonly sku: string } | undefined;
}

export interface MountPlan {
  readonly volume: string;
  readonly path: string;
  readonly readOnly: boolean;
}

export interface SecurityPlan {
  readonly privileged: boolean;
  readonly allowPrivilegeEscalation: boolean | undefined;
  readonly addCapabilities: readonly string[];
  readonly dropCapabilities: readonly string[];
  readonly runAsUser: number | undefined;
  readonly runAsGroup: number | undefined;
  /** JSON text of the profile, decoded. */
  readonly seccompProfile: string | undefined;
}

export interface ProbePlan {
  readonly check:
    | { readonly kind: 'exec'; readonly command: readonly string[] }
    | {
        readonly kind: 'httpGet';
        readonly path: string;
        readonly port: number;
        readonly scheme: 'http' | 'https';
        readonly headers: readonly { readonly name: string; readonly value: string }[];
      };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly timeoutSeconds: number;
}

export type VolumePlan = { readonly name: string } & (
  | { readonly kind: 'emptyDir' }
  /** File names and contents, in base64. */
  | { readonly kind: 'secret'; readonly files: Readonly<Record<string, string>> }
  | {
      readonly kind: 'gitRepo';
      readonly repository: string;
      readonly directory: string | undefined;
      readonly revision: string | undefined;
    }
  | {
      readonly kind: 'azureFile';
      readonly shareName: string;
      readonly storageAccountName: string;
      readonly storageAccountKey: string | undefined;
      readonly readOnly: boolean;
    }
);
