# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # root comes from, and maven_status goes to, the script that sources this
# Finds a JDK and builds with it. Sourced by ./baton and ./check, which set $root to the top of the tree.

readonly least_java=21

# The feature version (21, 25, …) of the JDK in folder $1; fails if there is no JDK. Reads its release file, which is far quicker than starting it.
java_feature() {
  local line
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  line=$(grep -m1 '^JAVA_VERSION=' "$1/release") || return 1
  line=${line#*\"}
  line=${line%%[!0-9]*}
  [[ -n $line ]] && echo "$line"
}

# Sets JAVA_HOME to a good JDK: the one it names already, else the one on the PATH, else the newest installed. Exits with 3 if there is none.
find_jdk() {
  local home feature best='' best_feature=0
  local -a homes=()
  if [[ -n ${JAVA_HOME:-} ]] && feature=$(java_feature "$JAVA_HOME") && ((feature >= least_java)); then
    export JAVA_HOME
    return
  fi
  if home=$(command -v javac); then
    home=$(readlink -f "$home")
    home=${home%/bin/javac}
    if feature=$(java_feature "$home") && ((feature >= least_java)); then
      export JAVA_HOME=$home
      return
    fi
  fi
  shopt -s nullglob
  homes=(/usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* ~/.sdkman/candidates/java/* ~/.jdks/* ~/.local/share/mise/installs/java/*
    ~/.asdf/installs/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home)
  shopt -u nullglob
  for home in "${homes[@]}"; do
    if feature=$(java_feature "$home") && ((feature > best_feature)); then
      best=$home best_feature=$feature
    fi
  done
  if ((best_feature < least_java)); then
    echo "baton: no JDK $least_java or newer found; install one, for example: apt-get install temurin-25-jdk (or openjdk-21-jdk), or set JAVA_HOME" >&2
    exit 3
  fi
  export JAVA_HOME=$best
}

# Whether there is a program: a command on the PATH, or any that fits a path with a pattern, such as /usr/lib/x/*/bin/y.
has_program() {
  if [[ $1 == /* ]]; then
    compgen -G "$1" >/dev/null
  else
    command -v "$1" >/dev/null
  fi
}

# Installs what is missing of the named programs, each given as program=package. As root it installs them, without starting any service they bring;
# otherwise it prints the command that would, and exits with 3.
need_commands() {
  local pair guard=/usr/sbin/policy-rc.d own_guard=''
  local -a missing=()
  for pair in "$@"; do
    has_program "${pair%%=*}" || missing+=("${pair#*=}")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    echo "baton: needs ${missing[*]}; install with: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
    exit 3
  fi
  echo "installing ${missing[*]}" >&2
  if [[ ! -e $guard ]]; then
    printf '#!/bin/sh\nexit 101\n' >"$guard" && chmod 755 "$guard" && own_guard=$guard
  fi
  mkdir -p "$root/target"
  if ! {
    apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
  } >"$root/target/install.log" 2>&1 </dev/null; then
    [[ -z $own_guard ]] || rm -f "$own_guard"
    tail -n 15 "$root/target/install.log" >&2
    echo "baton: could not install ${missing[*]}; see $root/target/install.log" >&2
    exit 3
  fi
  [[ -z $own_guard ]] || rm -f "$own_guard"
}

# Waits until no other build runs in this tree. The lock goes when this script ends; what it starts does not inherit it.
lock_build() {
  mkdir -p "$root/target"
  exec {build_lock}>"$root/target/build.lock"
  command -v flock >/dev/null || return 0
  if ! flock -n "$build_lock"; then
    echo "waiting for another build of this tree to end" >&2
    flock "$build_lock"
  fi
}

unlock_build() {
  exec {build_lock}>&-
}

# Runs Maven over the whole tree with the log in file $1 and the other arguments passed on. Each line of its output goes to function on_line.
# Maven's status is in $maven_status.
run_maven() {
  local log=$1 line
  shift
  maven_status=1
  : >"$log"
  while IFS= read -r line; do
    if [[ $line == 'maven-status '* ]]; then
      maven_status=${line#* }
    else
      printf '%s\n' "$line" >&"$log_fd"
      on_line "$line"
    fi
  done {log_fd}>>"$log" < <(
    exec {build_lock}>&-
    status=0
    mvn -B -f "$root/pom.xml" "$@" 2>&1 </dev/null || status=$?
    printf '\nmaven-status %s\n' "$status" # Maven may end without a line break
  )
}

# Progress from Maven's output: a line per module begun, and a sign of life while dependencies are fetched.
fetched=0 fetched_told=0
show_progress() {
  local line=$1 module
  case $line in
    *'Downloaded from '*)
      fetched=$((fetched + 1))
      if ((SECONDS - fetched_told >= 5)); then
        fetched_told=$SECONDS
        printf '%4ds  fetching dependencies: %d files\n' "$SECONDS" "$fetched" >&2
      fi
      ;;
    '[INFO] Building Baton'*']')
      module=${line#'[INFO] Building '}
      printf '%4ds  %s %s\n' "$SECONDS" "[${line##*\[}" "${module%% [0-9]*}" >&2
      ;;
  esac
}

# Whether the packaged program is older than anything it is made of. Folders count as well, so that a deleted file is noticed.
# The stamp bears the time at which the build began.
dist_stale() {
  local dist=$root/cli/target/dist newer
  [[ -d $dist/lib && -e $root/target/dist.stamp ]] || return 0
  newer=$(find "$root" \( -name target -o -name .git -o -name docs -o -path '*/src/test' \) -prune -o \
    \( -name pom.xml -o -path '*/src/main*' -o -path "$root/.mvn/*" \) -newer "$root/target/dist.stamp" -print -quit 2>/dev/null)
  [[ -n $newer ]]
}

begin_stamp() {
  mkdir -p "$root/target"
  rm -f "$root/target/dist.stamp"
  touch "$root/target/dist.stamp.begun"
}

end_stamp() {
  mv "$root/target/dist.stamp.begun" "$root/target/dist.stamp"
}
